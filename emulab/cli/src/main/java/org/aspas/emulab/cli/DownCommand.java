package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.aspas.emulab.lab.process.NodeFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas down}: stops the nodes that {@code aspas up} started. */
@Command(
        name = "down",
        description = {
            "Stop the nodes that 'aspas up' started on this machine: tell them to end, appservers first, and wait.",
            "A node that 'aspas up' did not start is not touched."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:none of them runs",
            "1:one has not ended in time",
            "2:the command line or a file that it names is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas down lab", "  aspas down lab --node appserver-2 --timeout 60", "  aspas down lab --force"})
final class DownCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private NodesOption nodes = new NodesOption();

    @Option(
            names = "--timeout",
            defaultValue = "30",
            paramLabel = "SECONDS",
            description = "How long each tier may take to end, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(names = "--force", description = "Kill what has not ended in time, as a loss of power would.")
    private boolean force;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--timeout", timeout, 1, 3_600);
        List<NodeDescription> wanted = nodes.of(new DeploymentDirectory(nodes.directory()).descriptor());
        Map<NodeId, String> ends = new LinkedHashMap<>();
        try (NodeFiles files = NodeFiles.lock(nodes.directory().resolve("run"))) {
            // While appservers end, bftservers still certify what these have answered.
            for (Role role : Role.values()) {
                stop(
                        files,
                        wanted.stream()
                                .map(NodeDescription::id)
                                .filter(id -> id.role() == role)
                                .toList(),
                        ends);
            }
        }
        report(ends);
        return ends.containsValue("runs") ? ExitCodes.FAILED : ExitCodes.DONE;
    }

    private void stop(NodeFiles files, List<NodeId> ids, Map<NodeId, String> ends)
            throws IOException, InterruptedException {
        Map<NodeId, List<ProcessHandle>> running = new LinkedHashMap<>();
        for (NodeId id : ids) {
            ends.put(id, "did not run");
            files.running(id)
                    .ifPresent(process -> running.put(
                            id,
                            Stream.concat(Stream.of(process), process.descendants())
                                    .toList()));
        }
        running.values().forEach(processes -> processes.get(0).destroy());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeout);
        for (Map.Entry<NodeId, List<ProcessHandle>> node : running.entrySet()) {
            ends.put(node.getKey(), end(node.getValue(), end));
        }
        for (NodeId id : ids) {
            if (!"runs".equals(ends.get(id))) {
                files.forget(id);
            }
        }
    }

    /** Waits for the end of a node's processes. */
    private String end(List<ProcessHandle> processes, long end) throws InterruptedException {
        String how = "ended";
        for (ProcessHandle process : processes) {
            if (!ends(process, end)) {
                if (!force) {
                    return "runs";
                }
                process.destroyForcibly();
                how = "killed";
            }
        }
        return how;
    }

    private static boolean ends(ProcessHandle process, long end) throws InterruptedException {
        try {
            process.onExit().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return !process.isAlive();
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void report(Map<NodeId, String> ends) throws IOException {
        if (json.wanted()) {
            var document = JSON.createObjectNode();
            ArrayNode list = document.putArray("nodes");
            ends.forEach(
                    (id, how) -> list.addObject().put("node", id.toString()).put("state", how.replace(' ', '_')));
            json.print(document);
            return;
        }
        ends.forEach((id, how) -> json.out()
                .println(String.format(
                        Locale.ROOT, "%-13s %s", id, how.equals("runs") ? "still runs; --force kills it" : how)));
    }
}

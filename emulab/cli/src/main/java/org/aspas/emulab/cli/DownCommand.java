package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.journal.file.DirectoryReader;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.NodeFiles;
import org.aspas.emulab.testbed.deployment.NodeProcess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas down}: stops the nodes that {@code aspas up} started. */
@Command(
        name = "down",
        description = {
            "Stop the nodes that 'aspas up' started on this machine, appservers first, and wait until they have ended.",
            "Nodes that 'aspas up' did not start are left alone."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:none of them is running",
            "1:a node has not ended in time, or it runs and 'aspas up' did not start it",
            "2:the command line or a file that it names is wrong"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas down lab", "  aspas down lab --node appserver-2 --timeout 60", "  aspas down lab --force"})
final class DownCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** A node that another process runs on the same data. */
    private static final String ELSEWHERE = "runs elsewhere";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private NodesOption nodes = new NodesOption();

    @Option(
            names = "--timeout",
            defaultValue = "30",
            paramLabel = "SECONDS",
            description = "Seconds to wait for each tier to end, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int timeout;

    @Option(names = "--force", description = "Kill the nodes that have not ended in time, as a power failure would.")
    private boolean force;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--timeout", timeout, 1, 3_600);
        DeploymentDirectory deployment = new DeploymentDirectory(nodes.directory());
        List<NodeDescription> wanted = nodes.of(deployment.descriptor());
        Map<NodeId, String> ends = new LinkedHashMap<>();
        try (NodeFiles files = NodeFiles.lock(nodes.directory().resolve("run"))) {
            // While appservers end, bftservers still certify what these have answered.
            for (Role role : Role.values()) {
                stop(
                        deployment,
                        files,
                        wanted.stream()
                                .map(NodeDescription::id)
                                .filter(id -> id.role() == role)
                                .toList(),
                        ends);
            }
        }
        report(ends);
        return ends.containsValue("runs") || ends.containsValue(ELSEWHERE) ? ExitCodes.FAILED : ExitCodes.DONE;
    }

    private void stop(DeploymentDirectory deployment, NodeFiles files, List<NodeId> ids, Map<NodeId, String> ends)
            throws IOException, InterruptedException {
        Map<NodeId, List<NodeProcess>> running = new LinkedHashMap<>();
        for (NodeId id : ids) {
            ends.put(id, DirectoryReader.inUse(deployment.journalPath(id)) ? ELSEWHERE : "did not run");
            files.running(id).ifPresent(process -> running.put(id, process.withDescendants()));
        }
        running.values().forEach(processes -> processes.get(0).end());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeout);
        for (Map.Entry<NodeId, List<NodeProcess>> node : running.entrySet()) {
            ends.put(node.getKey(), end(node.getValue(), end));
        }
        for (NodeId id : ids) {
            if (!"runs".equals(ends.get(id))) {
                files.forget(id);
            }
        }
    }

    private String end(List<NodeProcess> processes, long end) throws InterruptedException {
        String how = "ended";
        for (NodeProcess process : processes) {
            if (!process.ends(end)) {
                if (!force) {
                    return "runs";
                }
                process.kill();
                how = "killed";
            }
        }
        return how;
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
        ends.forEach((id, how) -> json.out().println(String.format(Locale.ROOT, "%-13s %s", id, words(how))));
    }

    private static String words(String how) {
        return switch (how) {
            case "runs" -> "still runs; --force kills it";
            case ELSEWHERE -> "runs, and 'aspas up' did not start it: its store is in use";
            default -> how;
        };
    }
}

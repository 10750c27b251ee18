package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;

/** The nodes of a deployment as processes of this machine, for a command that measures them. Thread-safe. */
final class MeasuredNodes {
    private static final int STOP_SECONDS = 90;
    private static final int BFTSERVER_HEAP = 512;

    private final Path directory;
    private final int heap;
    private final Map<NodeId, Process> processes = new ConcurrentHashMap<>();

    /**
     * None runs.
     *
     * @param heap of each appserver, in MiB
     */
    MeasuredNodes(Path directory, int heap) {
        this.directory = directory;
        this.heap = heap;
    }

    /**
     * Starts one; it ends with this process, however that ends.
     *
     * @param machine options of its virtual machine
     */
    void start(NodeId node, List<String> more, List<String> machine) throws IOException {
        boolean appserver = node.role() == Role.APPSERVER;
        List<String> arguments = new ArrayList<>(List.of(
                appserver ? "appserver" : "bftserver",
                directory.toString(),
                "--index",
                Integer.toString(node.index())));
        arguments.addAll(more);
        List<String> command = new ArrayList<>(Supervisor.command(arguments));
        // The last one of equal options counts.
        command.add(command.indexOf("-cp"), "-Xmx" + (appserver ? heap : BFTSERVER_HEAP) + "m");
        command.addAll(command.indexOf("-cp"), machine);
        Path logs = Files.createDirectories(directory.resolve("logs"));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs.resolve(node + ".out").toFile()));
        builder.environment().put("ASPAS_LOG_FILE", logs.resolve(node + ".log").toString());
        processes.put(node, builder.start());
    }

    Process of(NodeId node) {
        Process process = processes.get(node);
        if (process == null) {
            throw new IllegalStateException(node + " was not started");
        }
        return process;
    }

    /** Tells a node to end, or kills it, and waits for its end. */
    void end(NodeId node, boolean kill) throws InterruptedException {
        Process process = of(node);
        if (kill) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Tells all to end, and waits for that. */
    void stopAll() {
        processes.values().forEach(Process::destroy);
        for (Process process : processes.values()) {
            try {
                if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}

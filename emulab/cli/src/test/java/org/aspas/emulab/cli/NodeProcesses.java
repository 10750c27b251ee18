package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The nodes of one deployment as processes, each with a log of its own for every start. For one thread. */
final class NodeProcesses implements AutoCloseable {
    static final int NODES = 4;
    static final Duration PATIENCE = Duration.ofSeconds(300);
    private static final String TAKES_PART = "takes part in the order";
    private static final Pattern LEADER = Pattern.compile("follows leader (\\d+)");

    private final Path folder;
    private final Path lab;
    private final Map<String, Process> processes = new TreeMap<>();
    private final Map<String, Integer> starts = new TreeMap<>();

    private NodeProcesses(Path folder) {
        this.folder = folder;
        this.lab = folder.resolve("lab");
    }

    /** Makes a deployment in a folder; nothing runs yet. */
    static NodeProcesses in(Path folder) throws IOException {
        NodeProcesses made = new NodeProcesses(folder);
        CommandRun init = CommandRun.of(FreePorts.choose().init(made.lab.toString()));
        assertThat(init.exit()).as(init.errors()).isZero();
        return made;
    }

    Path lab() {
        return lab;
    }

    void launch(String role, int index, String... options) throws IOException {
        String name = role + "-" + index;
        int start = starts.merge(name, 1, Integer::sum);
        List<String> arguments = new ArrayList<>(
                List.of(role, lab.toString(), "--index", Integer.toString(index), "--bind", "127.0.0.1"));
        arguments.addAll(List.of(options));
        // Not the tests' own configuration of the log, which comes first on the class path.
        String log = "-Dlogback.configurationFile=" + System.getProperty("aspas.crash.logback", "logback.xml");
        List<String> command = JavaCommand.of(List.of("-Xmx192m", log), arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log(name, start));
        builder.environment().put("ASPAS_LOG_TO", "STDERR");
        processes.put(name, builder.start());
    }

    /** Starts a bftserver without its supervisor, so that it stays dead once it is killed. */
    void launchReplica(int replica) throws IOException {
        launch("bftserver", replica, "--no-supervise");
    }

    void launchReplicasBut(int missing) throws IOException {
        for (int replica = 0; replica < NODES; replica++) {
            if (replica != missing) {
                launchReplica(replica);
            }
        }
    }

    private File log(String name, int start) {
        return folder.resolve(name + "." + start + ".log").toFile();
    }

    /** What the newest start of a bftserver has written. */
    String printed(int replica) throws IOException {
        String name = "bftserver-" + replica;
        return Files.readString(log(name, starts.getOrDefault(name, 1)).toPath());
    }

    /** Whether the newest start of a bftserver takes part in the order, for the given time since its log began. */
    boolean takesPart(int replica, int times) throws IOException {
        return printed(replica).split(TAKES_PART, -1).length > times;
    }

    void awaitTakingPart(int replica) {
        Awaitility.await().atMost(PATIENCE).until(() -> takesPart(replica, 1));
    }

    /** Whether the process of a bftserver has read its files and serves. */
    boolean runs(int replica) throws IOException {
        return printed(replica).contains(" runs: links at port");
    }

    /** Whom a bftserver followed last, by its log; -1 when it has not written that. */
    int leaderOf(int replica) throws IOException {
        Matcher written = LEADER.matcher(printed(replica));
        int leader = -1;
        while (written.find()) {
            leader = Integer.parseInt(written.group(1));
        }
        return leader;
    }

    /** The leader that all bftservers but one follow; waits until they do. */
    int leader(int butOne) {
        int[] leader = new int[1];
        Awaitility.await().atMost(PATIENCE).until(() -> {
            leader[0] = leaderOf(butOne == 0 ? 1 : 0);
            for (int replica = 0; replica < NODES; replica++) {
                if (replica != butOne && leaderOf(replica) != leader[0]) {
                    return false;
                }
            }
            return leader[0] >= 0;
        });
        return leader[0];
    }

    Process replica(int index) {
        Process process = processes.get("bftserver-" + index);
        if (process == null) {
            throw new IllegalStateException("bftserver-" + index + " was never started");
        }
        return process;
    }

    void kill(int replica) throws InterruptedException {
        replica(replica).destroyForcibly().waitFor();
    }

    void killAllReplicas() throws InterruptedException {
        for (int replica = 0; replica < NODES; replica++) {
            replica(replica).destroyForcibly();
        }
        for (int replica = 0; replica < NODES; replica++) {
            replica(replica).waitFor();
        }
    }

    /** Sends a signal such as STOP to a process. */
    static void signal(String signal, ProcessHandle process) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    /** Kills every process with its children, also those that are stopped. */
    @Override
    public void close() throws InterruptedException {
        for (Process process : processes.values()) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
        }
        for (Process process : processes.values()) {
            process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }
}

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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.awaitility.Awaitility;

/** The nodes of one deployment as processes, each with a log of its own for every start. For one thread. */
final class NodeProcesses implements AutoCloseable {
    static final int NODES = 4;
    static final Duration PATIENCE = Duration.ofSeconds(300);
    private static final String TAKES_PART = "takes part in the order";
    private static final Pattern LEADER = Pattern.compile("follows leader (\\d+)");

    private final Path folder;
    private final Path lab;
    private final FreePorts ports;
    private final Map<String, Process> processes = new TreeMap<>();
    private final Map<String, Integer> starts = new TreeMap<>();

    private NodeProcesses(Path folder, FreePorts ports) {
        this.folder = folder;
        this.ports = ports;
        this.lab = folder.resolve("lab");
    }

    /** Makes a deployment in a folder; nothing runs yet. */
    static NodeProcesses in(Path folder) throws IOException {
        NodeProcesses made = new NodeProcesses(folder, FreePorts.choose());
        CommandRun init = CommandRun.of(made.ports.init(made.lab.toString()));
        assertThat(init.exit()).as(init.errors()).isZero();
        return made;
    }

    /** Makes a deployment with other limits than usual. */
    static NodeProcesses in(Path folder, Limits limits) throws Exception {
        NodeProcesses made = new NodeProcesses(folder, FreePorts.choose());
        Deployment deployment = Deployment.generate("small", new Quorums(1, 1), made.ports.all(), Set.of(), limits);
        DeploymentDirectory directory = new DeploymentDirectory(made.lab);
        directory.writeWithStores(deployment);
        return made;
    }

    FreePorts ports() {
        return ports;
    }

    Path lab() {
        return lab;
    }

    void launch(String role, int index, String... options) throws IOException {
        launch(List.of(), role, index, options);
    }

    /** Starts a node with more options of the JVM. */
    void launch(List<String> jvm, String role, int index, String... options) throws IOException {
        launch(List.of(), jvm, role, index, options);
    }

    /** Starts a node that can write no file longer than so many KiB. */
    void launchWithFilesOf(int kib, String role, int index, String... options) throws IOException {
        launch(List.of("bash", "-c", "ulimit -f " + kib + " && exec \"$@\"", "bash"), List.of(), role, index, options);
    }

    private void launch(List<String> prefix, List<String> jvm, String role, int index, String... options)
            throws IOException {
        String name = role + "-" + index;
        int start = starts.merge(name, 1, Integer::sum);
        List<String> arguments = new ArrayList<>(
                List.of(role, lab.toString(), "--index", Integer.toString(index), "--bind", "127.0.0.1"));
        arguments.addAll(List.of(options));
        // Not the tests' own configuration of the log, which comes first on the class path.
        String log = "-Dlogback.configurationFile=" + System.getProperty("aspas.crash.logback", "logback.xml");
        List<String> first = new ArrayList<>(List.of("-Xmx192m", log));
        first.addAll(jvm);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(JavaCommand.of(first, arguments));
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
        return printed("bftserver-" + replica);
    }

    /** What the newest start of a node has written. */
    String printed(String name) throws IOException {
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
        return node("bftserver-" + index);
    }

    Process node(String name) {
        Process process = processes.get(name);
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }

    void kill(int replica) throws InterruptedException {
        replica(replica).destroyForcibly().waitFor();
    }

    /** Kills a node with SIGKILL, if it runs. */
    void kill(String role, int index) throws InterruptedException {
        node(role + "-" + index).destroyForcibly().waitFor();
    }

    /** Kills all that were started, at once. */
    void killAll() throws InterruptedException {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            process.waitFor();
        }
    }

    void killAllReplicas() throws InterruptedException {
        for (int replica = 0; replica < NODES; replica++) {
            replica(replica).destroyForcibly();
        }
        for (int replica = 0; replica < NODES; replica++) {
            replica(replica).waitFor();
        }
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

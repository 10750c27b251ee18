package org.aspas.emulab.testbed.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeId;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which process it is, whether it runs, and where it listens. */
class NodeProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final NodeId NODE = NodeId.bftserver(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void onLinux() {
        Assumptions.assumeTrue(Files.isReadable(Path.of("/proc/self/stat")), "the system tells of its processes");
    }

    @AfterEach
    void nothingStays() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        return process;
    }

    /** The wall clock may be set, and with it the moment of a start that is counted from there. */
    @Test
    void theMomentOfAStartIsCountedFromTheMachinesStart() throws IOException {
        NodeProcess self = NodeProcess.of(ProcessHandle.current());
        String boot =
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String ticks = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
        assertThat(self.start()).isEqualTo(boot + "/" + ticks);
        assertThat(self.runs()).isTrue();
        assertThat(new NodeProcess(self.handle(), boot + "/1").runs()).isFalse();
    }

    @Test
    void aProcessThatNobodyWaitedForDoesNotRun() throws Exception {
        // The shell starts a process, and becomes one that never waits for it.
        Process parent = start("bash", "-c", "sleep 0.2 & echo $!; exec sleep 600");
        long pid;
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            pid = Long.parseLong(out.readLine());
        }
        Path stat = Path.of("/proc", Long.toString(pid), "stat");
        Awaitility.await().atMost(PATIENCE).until(() -> Files.readString(stat).contains(") Z "));
        ProcessHandle ended = ProcessHandle.of(pid).orElseThrow();
        assertThat(ended.isAlive()).as("so the JDK says").isTrue();
        assertThat(NodeProcess.running(pid)).isEmpty();
        assertThat(NodeProcess.of(ended).runs()).isFalse();
        assertThat(NodeProcess.of(ended).ends(System.nanoTime())).isTrue();
        assertThat(NodeProcess.of(parent.toHandle()).withDescendants()).hasSize(1);
        try (NodeFiles files = NodeFiles.lock(folder)) {
            files.note(NODE, NodeProcess.of(ended));
            assertThat(files.running(NODE)).isEmpty();
        }
    }

    /** A program's name stands before the fields, and may look like them. */
    @Test
    void theNameOfAProgramIsNoField() throws Exception {
        Path program = folder.resolve("a) Z 1 (b");
        Files.copy(Path.of("/bin/sleep").toRealPath(), program);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Process process = start(program.toString(), "600");
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"))
                        .contains("(a) Z 1"));
        NodeProcess named = NodeProcess.of(process.toHandle());
        assertThat(named.runs()).isTrue();
        named.kill();
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(named.runs()).isFalse();
    }

    @Test
    void whatIsNotedIsFoundAgainAlsoAsEarlierVersionsNotedIt() throws Exception {
        Process process = start("sleep", "600");
        NodeProcess noted = NodeProcess.of(process.toHandle());
        Path file = folder.resolve(NODE + ".pid");
        try (NodeFiles files = NodeFiles.lock(folder)) {
            files.note(NODE, noted);
            assertThat(files.running(NODE)).contains(noted);
            long millis = process.info().startInstant().orElseThrow().toEpochMilli();
            Files.writeString(file, process.pid() + " " + millis + "\n");
            assertThat(files.running(NODE)).contains(noted);
            Files.writeString(file, process.pid() + " " + (millis + 1000) + "\n");
            assertThat(files.running(NODE))
                    .as("a process of the same number, at another time")
                    .isEmpty();
            Files.writeString(file, process.pid() + " " + noted.start() + "0\n");
            assertThat(files.running(NODE)).isEmpty();
        }
    }

    @Test
    void whoListensIsNotWhoeverAnswers() throws Exception {
        NodeProcess self = NodeProcess.of(ProcessHandle.current());
        NodeProcess other = NodeProcess.of(start("sleep", "600").toHandle());
        try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(self.listensAt(open.getLocalPort())).isTrue();
            assertThat(other.listensAt(open.getLocalPort())).isFalse();
            int port = open.getLocalPort();
            open.close();
            assertThat(self.listensAt(port)).isFalse();
        }
    }
}

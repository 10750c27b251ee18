package org.aspas.emulab.cli;

import static org.aspas.emulab.cli.NodeProcesses.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes as processes whose disk takes nothing, or gave something back that was not stored. */
@Tag("crash")
class AppserverDiskTest {
    private static final Path LIMITS = Path.of("/usr/bin/prlimit");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    /** A process may then write no file beyond so many bytes, which is to it as if the disk were full. */
    private static void limitFiles(Process process, String bytes) throws Exception {
        int exit = new ProcessBuilder(LIMITS.toString(), "--pid", "" + process.pid(), "--fsize=" + bytes + ":unlimited")
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    private static String ready(NodeProcesses nodes) throws Exception {
        URI readyz = URI.create("http://127.0.0.1:" + nodes.ports().clientPort(0) + "/readyz");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(readyz).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void aDiskThatTakesNothingIsNamedAndAllGoesOnWhenItIsFreed() throws Exception {
        assumeThat(Files.isExecutable(LIMITS)).isTrue();
        try (NodeProcesses nodes = NodeProcesses.in(folder)) {
            for (int server = 0; server < 3; server++) {
                nodes.launch("appserver", server);
            }
            try (AcknowledgedWrites writes = new AcknowledgedWrites(nodes.ports(), 0)) {
                Awaitility.await().atMost(PATIENCE).until(() -> writes.acknowledged() > 20);
                limitFiles(nodes.node("appserver-0"), "1");
                Awaitility.await().atMost(PATIENCE).until(() -> ready(nodes).contains("disk"));
                assertThat(ready(nodes)).startsWith("not ready: disk: nothing can be stored");
                CommandRun status = CommandRun.of("status", "--dir", nodes.lab().toString());
                assertThat(status.out()).containsPattern("appserver-0 +disk");
                int before = writes.acknowledged();

                limitFiles(nodes.node("appserver-0"), "unlimited");
                Awaitility.await().atMost(PATIENCE).until(() -> writes.acknowledged() > before + 20);
                assertThat(ready(nodes)).doesNotContain("disk");
                assertThat(writes.lost()).isEmpty();
            }
        }
    }

    @Test
    void exitCodesTellADamagedStoreFromADiskThatTakesNothing() throws Exception {
        try (NodeProcesses nodes = NodeProcesses.in(folder)) {
            Path journal = nodes.lab().resolve("data").resolve("appserver-1").resolve("journal");
            Path segment;
            try (Stream<Path> files = Files.list(journal)) {
                segment = files.filter(file -> !file.toString().contains("manifest"))
                        .findFirst()
                        .orElseThrow();
            }
            try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw")) {
                file.setLength(100);
            }
            nodes.launch("appserver", 1);
            assertThat(exit(nodes, "appserver-1")).isEqualTo(ExitCodes.DAMAGED);
            assertThat(nodes.printed("appserver-1")).contains(segment.getFileName() + ", byte ");

            nodes.launchWithFilesOf(16, "appserver", 0);
            assertThat(exit(nodes, "appserver-0"))
                    .as(nodes.printed("appserver-0"))
                    .isEqualTo(ExitCodes.HALTED);
            nodes.launchWithFilesOf(16, "bftserver", 0, "--no-supervise");
            assertThat(exit(nodes, "bftserver-0"))
                    .as(nodes.printed("bftserver-0"))
                    .isEqualTo(ExitCodes.HALTED);
            nodes.launch("appserver", 0);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> nodes.printed("appserver-0").contains(" runs: clients at"));
        }
    }

    private static int exit(NodeProcesses nodes, String name) throws Exception {
        assertThat(nodes.node(name).waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        return nodes.node(name).exitValue();
    }
}

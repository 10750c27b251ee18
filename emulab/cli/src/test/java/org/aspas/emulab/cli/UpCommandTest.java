package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code up} and {@code down}, with real processes. */
class UpCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static FreePorts ports;

    private static String lab = "";

    /** The keys of a deployment take seconds. */
    @BeforeAll
    static void init() throws Exception {
        ports = FreePorts.choose();
        lab = folder.resolve("lab").toString();
        assertThat(CommandRun.of(ports.init(lab)).exit()).isZero();
    }

    @AfterEach
    void nothingStays() {
        CommandRun.of("down", lab, "--timeout", "1", "--force");
    }

    @Test
    void aNodeRunsOnceUntilItIsStopped() throws Exception {
        int metrics = FreePorts.choose().bftservers().get(0);
        CommandRun first = CommandRun.of(
                "up", lab, "--node", "bftserver-0", "--wait", "300", "--json", "--metrics-port", "" + metrics);
        assertThat(first.exit()).as(first.out() + first.errors()).isZero();
        JsonNode node = new ObjectMapper().readTree(first.out()).path("nodes").path(0);
        assertThat(node.path("state").asText()).isEqualTo("ready");
        ProcessHandle process = ProcessHandle.of(node.path("pid").asLong()).orElseThrow();

        URI figures = URI.create("http://127.0.0.1:" + metrics + "/metrics");
        // The link port is open a moment before this one. Alone it signs nothing yet: others have to say what their
        // records hold.
        Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .until(() -> HttpClient.newHttpClient()
                        .send(HttpRequest.newBuilder(figures).build(), HttpResponse.BodyHandlers.ofString())
                        .body()
                        .contains("aspas_signs{node=\"bftserver-0\"} "));

        CommandRun second = CommandRun.of("up", lab, "--node", "bftserver-0");
        assertThat(second.out()).contains("runs", "process " + process.pid());

        CommandRun down = CommandRun.of("down", lab, "--timeout", "300");
        assertThat(down.exit()).as(down.errors()).isZero();
        assertThat(down.out()).containsPattern("bftserver-0 +ended").containsPattern("appserver-0 +did not run");
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void appserversAreToldHowTheyKeepWhatTheyKnow() throws Exception {
        CommandRun up = CommandRun.of(
                "up", lab, "--node", "appserver-1", "--json", "--durability", "os", "--retain-time", "77");
        assertThat(up.exit()).as(up.out() + up.errors()).isZero();
        long pid = new ObjectMapper()
                .readTree(up.out())
                .path("nodes")
                .path(0)
                .path("pid")
                .asLong();
        String command = Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"))
                .replace('\0', ' ');
        assertThat(command).contains("--durability os", "--retain-time 77", "--evidence-time 86400");

        CommandRun wrong = CommandRun.of("up", lab, "--retain-bytes", "0");
        assertThat(wrong.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(wrong.errors()).contains("--retain-bytes is 0");
    }

    @Test
    void aNodeThatCannotStartIsShownWithItsReason() throws Exception {
        try (ServerSocket taken = new ServerSocket(ports.linkPort(0), 1, InetAddress.getLoopbackAddress())) {
            CommandRun run = CommandRun.of("up", lab, "--node", "appserver-0", "--wait", "300");
            assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.out()).containsPattern("appserver-0 +ended").contains("" + taken.getLocalPort());
        }
    }

    @Test
    void anotherProcessThatHasGotTheNumberIsNotTouched() throws Exception {
        Files.createDirectories(Path.of(lab, "run"));
        Files.writeString(
                Path.of(lab, "run", "appserver-0.pid"), ProcessHandle.current().pid() + " 1\n");

        CommandRun down = CommandRun.of("down", lab);

        assertThat(down.exit()).isZero();
        assertThat(down.out()).containsPattern("appserver-0 +did not run");
    }

    @Test
    void aDamagedFileIsNamed() throws Exception {
        Files.createDirectories(Path.of(lab, "run"));
        Path file = Files.writeString(Path.of(lab, "run", "appserver-0.pid"), "42\n");

        CommandRun up = CommandRun.of("up", lab, "--node", "appserver-0");

        assertThat(up.exit()).isEqualTo(ExitCodes.FAILED);
        assertThat(up.errors()).contains(file + " does not hold a process");
        Files.delete(file);
    }

    @Test
    void unknownNodesAreWrongUsage() {
        CommandRun up = CommandRun.of("up", lab, "--node", "appserver-4");

        assertThat(up.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(up.errorLines()).hasSize(1);
        assertThat(up.errors()).contains("appserver-4", "appserver-0 to 3");
    }
}

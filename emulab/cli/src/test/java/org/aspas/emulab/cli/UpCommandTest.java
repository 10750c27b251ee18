package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.file.DirectoryFiles;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.NodeProcess;
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
        NodeProcess process = NodeProcess.running(node.path("pid").asLong()).orElseThrow();

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
        // Not the JDK's handle: that says alive until somebody has waited for the process.
        assertThat(process.runs()).isFalse();
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

    /** What answers at the node's address, and is ready, is another deployment's. */
    @Test
    void aNodeIsNotReadyBecauseAnotherDeploymentAnswers() throws Exception {
        int port = ports.clientPort(1);
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10);
        byte[] status = "{\"deployment\":\"deadbeefcafe\",\"server\":1,\"ready\":true,\"joined\":true}"
                .getBytes(StandardCharsets.UTF_8);
        other.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, status.length);
            exchange.getResponseBody().write(status);
            exchange.close();
        });
        other.start();
        try {
            CommandRun run = CommandRun.of("up", lab, "--node", "appserver-1", "--wait", "300");
            assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.out()).containsPattern("appserver-1 +ended").contains("" + port);

            String id = new DeploymentDirectory(Path.of(lab)).descriptor().id().toString();
            String sentence =
                    "another deployment answers at 127.0.0.1:" + port + ": deadbeef, not " + id.substring(0, 8);
            CommandRun seen = CommandRun.of("status", "--dir", lab);
            assertThat(seen.exit()).isEqualTo(ExitCodes.FAILED);
            assertThat(seen.out()).containsPattern("appserver-1 +other +" + sentence);
            assertThat(CommandRun.of("top", "--dir", lab, "--count", "1").out()).contains(sentence);
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aBftserverIsNotReadyBecauseAnotherProcessListens() throws Exception {
        int port = ports.bftservers().get(1);
        try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            CommandRun run = CommandRun.of("up", lab, "--node", "bftserver-1", "--wait", "300");
            assertThat(run.exit()).as(run.out()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.out()).containsPattern("bftserver-1 +ended").contains("" + taken.getLocalPort());
        }
    }

    /** Such as systemd; the store says so by its lock. */
    @Test
    void aNodeThatSomebodyElseRunsIsNotSaidToBeDown() throws Exception {
        NodeId node = NodeId.appserver(2);
        Path journal = new DeploymentDirectory(Path.of(lab)).journalPath(node);
        try (DirectoryFiles other = DirectoryFiles.open(journal)) {
            assertThat(other.names()).isNotEmpty();
            CommandRun down = CommandRun.of("down", lab);
            assertThat(down.exit()).isEqualTo(ExitCodes.FAILED);
            assertThat(down.out())
                    .containsPattern("appserver-2 +runs, and 'aspas up' did not start it")
                    .containsPattern("appserver-1 +did not run");

            CommandRun up = CommandRun.of("up", lab, "--node", "appserver-2", "--wait", "300");
            assertThat(up.exit()).as(up.out()).isEqualTo(ExitCodes.FAILED);
            assertThat(up.out()).containsPattern("appserver-2 +ended").contains(journal + " is in use");
        }
    }

    /** The copy has stores of its own, and listens elsewhere: no lock and no port says that there are two. */
    @Test
    void aCopyOfADirectoryDoesNotRunBesideIt() throws Exception {
        Path copy = LabCopy.of(Path.of(lab), folder.resolve("copy"));
        CommandRun up = CommandRun.of("up", lab, "--node", "bftserver-3,appserver-3");
        assertThat(up.exit()).as(up.out()).isZero();
        for (int port : List.of(ports.bftservers().get(3), ports.linkPort(3))) {
            Awaitility.await().atMost(NodeProcesses.PATIENCE).until(() -> accepts(port));
        }
        for (String role : List.of("bftserver", "appserver")) {
            List<String> start = new ArrayList<>(List.of(role, copy.toString(), "--index", "3", "--bind", "127.0.0.2"));
            if (role.equals("bftserver")) {
                start.add("--no-supervise");
            }
            CommandRun second = CommandRun.of(start.toArray(String[]::new));
            assertThat(second.exit()).as(second.errors()).isEqualTo(ExitCodes.FAILED);
            assertThat(second.errorLines()).hasSize(1);
            assertThat(second.errors()).contains(role + "-3 runs already", "answers at 127.0.0.1:", "copy");
        }
        CommandRun again = CommandRun.of("up", copy.toString(), "--node", "bftserver-3,appserver-3", "--wait", "300");
        assertThat(again.exit()).as(again.out()).isEqualTo(ExitCodes.FAILED);
        assertThat(again.out())
                .containsPattern("appserver-3 +ended")
                .containsPattern("bftserver-3 +ended")
                .contains("runs already");
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void keysAndStoresAreForTheirOwnerAloneWhateverTheUmaskIs() throws Exception {
        Path open = folder.resolve("open");
        List<String> init =
                JavaCommand.of(List.of("-Xmx128m"), List.of(FreePorts.choose().init(open.toString())));
        List<String> command = new ArrayList<>(List.of("bash", "-c", "umask 000 && exec \"$@\"", "bash"));
        command.addAll(init);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("init.out").toFile())
                .start();
        assertThat(process.waitFor()).isZero();
        command = new ArrayList<>(List.of("bash", "-c", "umask 000 && exec \"$@\"", "bash"));
        command.addAll(JavaCommand.of(
                List.of("-Xmx128m"), List.of("counter", "inc", "likes", "--dir", open.toString(), "--timeout", "1")));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("inc.out").toFile())
                .start();
        assertThat(process.waitFor()).isEqualTo(ExitCodes.KEPT);
        try (Stream<Path> all = Files.walk(open)) {
            for (Path path : all.toList()) {
                Path inside = open.relativize(path);
                boolean everybodys =
                        inside.getNameCount() == 1 && !path.endsWith("operator.key") && !Files.isDirectory(path);
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                if (path.equals(open)) {
                    assertThat(permissions).isEqualTo("rwxr-xr-x");
                } else if (Files.isDirectory(path)) {
                    assertThat(permissions).as(inside.toString()).isEqualTo("rwx------");
                } else if (everybodys) {
                    assertThat(permissions).as(inside.toString()).isEqualTo("rw-r--r--");
                } else if (path.toString().endsWith(".key")) {
                    assertThat(permissions).as(inside.toString()).isEqualTo("rw-------");
                }
            }
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

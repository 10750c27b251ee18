package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.testbed.deployment.NodeFiles;
import org.aspas.emulab.testbed.deployment.NodeProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code aspas console} with and without {@code --operate}, over nodes that {@code aspas up} started. */
class ConsoleCommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/[A-Za-z0-9]{32}/");
    private static final NodeId NODE = NodeId.bftserver(0);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private String lab = "";

    private final List<Process> consoles = new ArrayList<>();

    @AfterEach
    void nothingStays() {
        consoles.forEach(Process::destroyForcibly);
        CommandRun.of("down", lab, "--timeout", "1", "--force");
    }

    private Process console(String name, String... options) throws IOException {
        List<String> command =
                Stream.concat(Stream.of("console", lab), Stream.of(options)).toList();
        Process console = new ProcessBuilder(JavaCommand.of(List.of("-Xmx128m"), command))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name).toFile())
                .start();
        consoles.add(console);
        return console;
    }

    private URI address(String name) {
        return Awaitility.await()
                .atMost(PATIENCE)
                .until(
                        () -> {
                            Matcher found = ADDRESS.matcher(Files.readString(folder.resolve(name)));
                            return found.find() ? Optional.of(URI.create(found.group())) : Optional.<URI>empty();
                        },
                        Optional::isPresent)
                .orElseThrow();
    }

    private static HttpResponse<String> act(URI console, String action, NodeId node) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(console.resolve("api/actions/" + action))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString("{\"node\":\"" + node + "\"}"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static void done(URI console, String action) throws Exception {
        HttpResponse<String> answer = act(console, action, NODE);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** The node's process and, of a bftserver, the one that does the work. */
    private List<NodeProcess> processes() throws IOException {
        return NodeFiles.running(Path.of(lab, "run"), NODE).orElseThrow().withDescendants();
    }

    /** T stands for stopped. */
    private static boolean isFrozen(NodeProcess process) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).startsWith("T");
    }

    @Test
    void withTheOperatorsKeyNodesAreStoppedFrozenThawedAndStarted() throws Exception {
        lab = folder.resolve("lab").toString();
        assertThat(CommandRun.of(FreePorts.choose().init(lab)).exit()).isZero();
        Process reading = console("reading");
        Process operating = console("operating", "--operate");
        CommandRun up = CommandRun.of("up", lab, "--node", NODE.toString(), "--wait", "300");
        assertThat(up.exit()).as(up.out() + up.errors()).isZero();
        URI console = address("operating");
        List<NodeProcess> before = processes();
        assertThat(before).hasSize(2);

        refused(address("reading"), console);
        assertThat(processes()).isEqualTo(before);

        done(console, "freeze");
        assertThat(act(console, "freeze", NODE).statusCode()).isEqualTo(409);
        for (NodeProcess process : before) {
            Awaitility.await().atMost(PATIENCE).until(() -> isFrozen(process));
        }
        assertThat(act(console, "start", NODE).statusCode()).isEqualTo(409);
        done(console, "thaw");
        for (NodeProcess process : before) {
            Awaitility.await().atMost(PATIENCE).until(() -> !isFrozen(process));
        }
        done(console, "stop");
        Awaitility.await().atMost(PATIENCE).until(() -> before.stream().noneMatch(NodeProcess::runs));
        assertThat(act(console, "stop", NODE).statusCode()).isEqualTo(409);
        done(console, "start");
        assertThat(processes().get(0)).isNotIn(before);
        ends(reading);
        ends(operating);
    }

    /** Without --operate, or without the token of the address, nobody acts. */
    private static void refused(URI reading, URI operating) throws Exception {
        for (String action : List.of("stop", "start", "freeze", "thaw")) {
            assertThat(act(reading, action, NODE).statusCode()).as(action).isEqualTo(403);
            assertThat(act(operating.resolve("/"), action, NODE).statusCode())
                    .as(action)
                    .isEqualTo(404);
            assertThat(act(operating.resolve("/" + "A".repeat(32) + "/"), action, NODE)
                            .statusCode())
                    .as(action)
                    .isEqualTo(404);
        }
    }

    /** As Ctrl-C and SIGTERM end it; the nodes go on. */
    private void ends(Process console) throws Exception {
        console.destroy();
        assertThat(console.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(processes()).allMatch(NodeProcess::runs);
    }
}

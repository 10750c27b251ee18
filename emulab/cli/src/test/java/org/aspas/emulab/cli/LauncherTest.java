package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.aspas.emulab.testbed.deployment.ProcessSignal;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a user meets it: eight nodes as processes of their own, and the commands against them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LauncherTest {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final int NODES = 4;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path folder;

    private static final Map<String, Process> processes = new LinkedHashMap<>();
    private static FreePorts ports;
    private static String lab;

    @BeforeAll
    static void start() throws Exception {
        ports = FreePorts.choose();
        lab = folder.resolve("lab").toString();
        CommandRun init = CommandRun.of(ports.init(lab));
        assertThat(init.exit()).as(init.errors()).isZero();
        assertThat(init.out()).contains("aspas appserver " + lab + " --index 0");
        for (int index = 0; index < NODES; index++) {
            processes.put("bftserver-" + index, launch("bftserver-" + index, node("bftserver", index)));
        }
        for (int index = 0; index < NODES; index++) {
            processes.put("appserver-" + index, launch("appserver-" + index, node("appserver", index)));
        }
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
            for (Map.Entry<String, Process> one : processes.entrySet()) {
                assertThat(one.getValue().isAlive())
                        .as("%s ended: %s", one.getKey(), printed(one.getKey()))
                        .isTrue();
            }
            return isReady(0) && isReady(1) && isReady(2) && isReady(3);
        });
    }

    @AfterAll
    static void stop() throws Exception {
        processes.values().forEach(Process::destroyForcibly);
        for (Process process : processes.values()) {
            process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static String[] node(String role, int index) {
        return new String[] {role, lab, "--index", Integer.toString(index)};
    }

    private static Process launch(String name, String... arguments) throws IOException {
        return new ProcessBuilder(JavaCommand.of(List.of("-Xmx128m"), List.of(arguments)))
                .directory(folder.toFile())
                .redirectOutput(output(name, "out"))
                .redirectError(output(name, "err"))
                .start();
    }

    private static File output(String name, String stream) {
        return folder.resolve(name + "." + stream).toFile();
    }

    private static String printed(String name) throws IOException {
        return Files.readString(output(name, "out").toPath())
                + Files.readString(output(name, "err").toPath());
    }

    private static boolean isReady(int appserver) throws InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + ports.clientPort(appserver) + "/readyz");
        try {
            return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    private static CommandRun succeed(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.exit())
                .as(String.join(" ", arguments) + "\n" + run.errors())
                .isZero();
        assertThat(run.errors()).isEmpty();
        return run;
    }

    private static JsonNode json(String... arguments) throws IOException {
        return new ObjectMapper().readTree(succeed(arguments).out());
    }

    /** At 127.0.0.1 alone: a node at every address of the machine would answer at this one, too. */
    @Test
    @Order(0)
    void nodesListenWhereTheDescriptorSays() {
        for (int index = 0; index < NODES; index++) {
            for (int port : List.of(
                    ports.linkPort(index),
                    ports.clientPort(index),
                    ports.bftservers().get(index))) {
                assertThatThrownBy(() -> new Socket("127.0.0.2", port).close())
                        .as("port %d", port)
                        .isInstanceOf(ConnectException.class);
            }
        }
    }

    @Test
    @Order(1)
    void aCounterInAProcessOfItsOwnIsConfirmedAndReadEverywhere() throws Exception {
        Process process =
                launch("inc", "counter", "inc", "likes/42", "--by", "5", "--dir", lab, "--confirm", "--timeout", "120");
        processes.put("inc", process);
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed("inc")).isZero();
        assertThat(printed("inc"))
                .startsWith("5  (confirmed by certificate ")
                .doesNotContain("version")
                .contains("confirmed by certificate");
        processes.remove("inc");

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> json(
                                        "counter",
                                        "get",
                                        "likes/42",
                                        "--dir",
                                        lab,
                                        "--server",
                                        "3",
                                        "--level",
                                        "certified",
                                        "--timeout",
                                        "60",
                                        "--json")
                                .path("value")
                                .asLong()
                        == 5);
        assertThat(succeed("counter", "dec", "likes/42", "--dir", lab, "--timeout", "60")
                        .out())
                .isEqualToIgnoringNewLines("4");
    }

    @Test
    @Order(1)
    void aClientTellsWhatItsToleranceDoes() throws Exception {
        JsonNode answer =
                json("counter", "inc", "views/7", "--tau", "1", "--dir", lab, "--confirm", "--timeout", "60", "--json");
        JsonNode tolerance = answer.path("tolerance");
        assertThat(tolerance.path("tau").asLong()).isEqualTo(1);
        assertThat(tolerance.path("unconfirmed").asLong(-1)).isZero();
        assertThat(tolerance.path("waited_share").asDouble()).isEqualTo(1);
        assertThat(tolerance.path("exposure").asLong()).isEqualTo(1);
    }

    /** The opening of the session and the update each take the world's round trip of 70 ms. */
    @Test
    @Order(2)
    void aClientAtItsPlaceInAWorldIsFarAway() throws Exception {
        long start = System.nanoTime();
        JsonNode answer = json(
                "counter",
                "inc",
                "far/1",
                "--dir",
                lab,
                "--world",
                "paper",
                "--place",
                "2",
                "--timeout",
                "60",
                "--json");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(140));
        assertThat(answer.path("value").asLong()).isEqualTo(1);
    }

    @Test
    @Order(2)
    void aSetIsChangedAndRead() throws Exception {
        succeed("set", "add", "comments/1", "well said", "--dir", lab, "--timeout", "60");
        succeed("set", "add", "comments/1", "spam", "--dir", lab, "--timeout", "60");
        succeed("set", "remove", "comments/1", "spam", "--dir", lab, "--timeout", "60");
        assertThat(succeed("set", "get", "comments/1", "--dir", lab, "--timeout", "60")
                        .out()
                        .lines()
                        .findFirst())
                .contains("'well said'");
        succeed("set", "add", "comments/1", "read", "--dir", lab, "--confirm", "--timeout", "120");
        JsonNode pages = json("set", "pages", "comments/1", "--dir", lab, "--timeout", "60", "--json");
        assertThat(pages.path("elements").toString())
                .contains("well said", "read")
                .doesNotContain("spam");
        assertThat(pages.path("pages").asInt()).isEqualTo(1);
        for (String element : List.of("read", "spam")) {
            JsonNode has = json(
                    "set",
                    "has",
                    "comments/1",
                    element,
                    "--dir",
                    lab,
                    "--level",
                    "certified",
                    "--timeout",
                    "60",
                    "--json");
            assertThat(has.path("has").isBoolean()).isTrue();
            assertThat(has.path("has").asBoolean()).isEqualTo(element.equals("read"));
        }
        CommandRun wrong = CommandRun.of("counter", "get", "comments/1", "--dir", lab, "--timeout", "60");
        assertThat(wrong.exit()).isEqualTo(1);
        assertThat(wrong.errors()).isEqualToIgnoringNewLines("aspas: comments/1 is a set, not a counter");
    }

    /** The integer 7, the text 7 and the byte of the digit 7 are three elements, on the command line as everywhere. */
    @Test
    @Order(3)
    void elementsHaveTypesAndArePrintedAsTheyCanBeGivenAgain() throws Exception {
        String[] to = {"--dir", lab, "--timeout", "60"};
        String spoof = "x\n\u001b[2J\u001b]0;owned\u0007OK certified";
        List<List<String>> given = List.of(
                List.of("7"),
                List.of("--int=7"),
                List.of("--bytes=Nw=="),
                List.of(""),
                List.of("--text=--int=7"),
                List.of("--text=--int"),
                List.of("--int=-7"),
                List.of("@file"),
                List.of("well said"),
                List.of(spoof));
        for (List<String> element : given) {
            succeed(words(List.of("set", "add", "mix"), element, to));
        }
        List<String> printed = new ArrayList<>(succeed(words(List.of("set", "get", "mix"), List.of(), to))
                .out()
                .lines()
                .toList());
        assertThat(printed)
                .containsExactlyInAnyOrder(
                        "--int=7",
                        "''",
                        "--text=--int=7",
                        "--text=--int",
                        "--int=-7",
                        "7",
                        "@file",
                        "'well said'",
                        "$'x\\n\\u001b[2J\\u001b]0;owned\\u0007OK certified'",
                        "--bytes=Nw==");
        assertThat(json(words(List.of("set", "get", "mix", "--json"), List.of(), to))
                        .path("elements"))
                .contains(JsonNodeFactory.instance.numberNode(7), JsonNodeFactory.instance.textNode("7"));
        succeed(words(List.of("set", "remove", "mix"), List.of("7"), to));
        assertThat(succeed(words(List.of("set", "remove", "mix"), List.of("7"), to))
                        .out())
                .contains("nothing removed: appserver-")
                .contains("has no such element, but --int=7");
        for (String line : printed) {
            if (!line.equals("7")) {
                List<String> pasted = ShellWords.split(line).orElseThrow();
                assertThat(succeed(words(List.of("set", "remove", "mix"), pasted, to))
                                .out())
                        .startsWith("done");
            }
        }
        assertThat(json(words(List.of("set", "get", "mix", "--json"), List.of(), to))
                        .path("elements"))
                .isEmpty();
        CommandRun none = CommandRun.of(words(List.of("set", "add", "mix"), List.of(), to));
        assertThat(none.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(none.errors()).contains("an element is missing");
        CommandRun two = CommandRun.of(words(List.of("set", "add", "mix"), List.of("7", "--int=7"), to));
        assertThat(two.exit()).isEqualTo(ExitCodes.USAGE);
    }

    private static String[] words(List<String> command, List<String> element, String... options) {
        return Stream.of(command, element, List.of(options))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }

    /** Two keys that differ are two objects, whatever the locale of whoever asks. */
    @Test
    @Order(3)
    void keysAreKeptApartInAnyLocale() throws Exception {
        String first = " \"$@\" $'cl\\xc3\\xa9' && ";
        String count =
                "LC_ALL=C" + first + "LC_ALL=C \"$@\" $'cl\\xc3\\xa0' && LC_ALL=C.UTF-8" + first + "\"$@\" $'cl\\xff'";
        Process process = bash(count, "counter", "inc", "--dir", lab, "--timeout", "60");
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        List<String> values =
                printed("bash").lines().map(line -> line.split(" ")[0]).toList();
        assertThat(values).as(printed("bash")).startsWith("1", "1", "2").hasSize(4);
        assertThat(process.exitValue()).isEqualTo(ExitCodes.USAGE);
        assertThat(printed("bash")).contains("aspas: argument 7 is not UTF-8");
    }

    @Test
    @Order(3)
    void aFullDiskIsSaidAndAClosedPipeEndsACommand() throws Exception {
        Process full = bash("\"$@\" > /dev/full", "status", "--dir", lab, "--json");
        assertThat(full.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(full.exitValue()).as(printed("bash")).isEqualTo(ExitCodes.FAILED);
        assertThat(printed("bash")).startsWith("aspas: standard output cannot be written: No space left on device");
        Process unread = bash("set -o pipefail; \"$@\" | head -1", "top", "--dir", lab, "--every", "1");
        assertThat(unread.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(unread.exitValue()).as(printed("bash")).isEqualTo(ExitCodes.UNREAD);
        assertThat(printed("bash").lines()).hasSize(1);
    }

    private static Process bash(String script, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", script, "bash"));
        command.addAll(JavaCommand.of(List.of("-Xmx128m"), List.of(arguments)));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder.directory(folder.toFile())
                .redirectOutput(output("bash", "out"))
                .redirectError(output("bash", "err"))
                .start();
    }

    @Test
    @Order(3)
    void theStatusShowsEveryServer() throws Exception {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> json("status", "--dir", lab, "--json").findValues("lag_entries").stream()
                        .allMatch(lag -> lag.asLong() == 0));
        CommandRun table = succeed("status", "--dir", lab);
        List<String> lines = table.out().lines().toList();
        assertThat(lines.get(0))
                .startsWith("SERVER")
                .contains("VERSION", "CERTIFICATE", "WAITS", "REFUSED", "REJECTED");
        assertThat(lines.subList(1, 1 + NODES)).allMatch(line -> line.matches("appserver-[0-3] +ready .*"));
        assertThat(lines.get(1 + NODES)).isEmpty();
        assertThat(lines.get(2 + NODES)).startsWith("STEPS p50/p99, ms").contains("BROADCAST", "CONFIRMED", "WHOLE");
        List<String> lag = lines.stream()
                .skip(3 + NODES)
                .takeWhile(line -> !line.isEmpty())
                .toList();
        assertThat(lag).isNotEmpty().allMatch(line -> line.matches("appserver-[0-3] +ready( +[0-9]+/[0-9]+)+"));

        assertThat(succeed("status", "--clients", "--dir", lab).out().lines().findFirst())
                .hasValueSatisfying(
                        header -> assertThat(header).contains("SESSIONS", "τ=1", "UNCONFIRMED p50", "MOST"));

        JsonNode status = json("status", "--dir", lab, "--json");
        assertThat(status.path("servers")).hasSize(NODES);
        for (JsonNode server : status.path("servers")) {
            assertThat(server.path("reachable").asBoolean()).isTrue();
            assertThat(server.path("version")).hasSize(NODES).isEqualTo(server.path("certified"));
            assertThat(server.path("certificate").asLong()).isPositive();
            assertThat(server.path("lag_ms").asLong(-1)).isZero();
            assertThat(server.at("/clients/unconfirmed_most").asLong(-1)).isZero();
            assertThat(server.path("link_rejections").isIntegralNumber()).isTrue();
            assertThat(server.at("/status/links/bftservers_linked").asLong()).isEqualTo(NODES);
        }
    }

    private void aValueIsProvedOffline() throws Exception {
        json("set", "add", "proved/1", "well said", "--dir", lab, "--confirm", "--timeout", "60", "--json");
        for (String element : List.of("well said", "never said")) {
            Path file = folder.resolve("proof.cbor");
            String[] read = {
                "set",
                "has",
                "proved/1",
                element,
                "--dir",
                lab,
                "--level",
                "certified",
                "--proof",
                file.toString(),
                "--json"
            };
            JsonNode has = json(read);
            JsonNode proved = json("certificate", "verify", file.toString(), "--dir", lab, "--json");
            assertThat(proved.path("key").asText()).isEqualTo("proved/1");
            assertThat(proved.path("element").asText()).isEqualTo(element);
            assertThat(proved.path("has")).isEqualTo(has.path("has"));
            assertThat(proved.path("has").asBoolean()).isEqualTo(element.equals("well said"));
            assertThat(proved.at("/certificate/number")).isEqualTo(has.path("certificate"));
            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length - 1] ^= 1; // A sibling of the path.
            Path forged = Files.write(folder.resolve("forged.cbor"), bytes);
            CommandRun refused = CommandRun.of("certificate", "verify", forged.toString(), "--dir", lab);
            assertThat(refused.exit()).as(refused.out()).isEqualTo(1);
            assertThat(refused.errors()).contains("is not proved");
        }
    }

    @Test
    @Order(4)
    void aCertificateIsFetchedAndVerifiedOffline() throws Exception {
        Path file = folder.resolve("newest.cbor");
        JsonNode shown = json(
                "certificate",
                "show",
                "--dir",
                lab,
                "--server",
                "1",
                "--out",
                file.toString(),
                "--timeout",
                "60",
                "--json");
        JsonNode verified = json("certificate", "verify", file.toString(), "--dir", lab, "--json");
        assertThat(verified).isEqualTo(shown);
        assertThat(verified.path("valid").asBoolean()).isTrue();
        assertThat(verified.path("signers").size()).isGreaterThanOrEqualTo(3);

        byte[] bytes = Files.readAllBytes(file);
        for (int at : List.of(bytes.length / 3, bytes.length - 1)) {
            byte[] tampered = bytes.clone();
            tampered[at] ^= 1;
            Path forged = Files.write(folder.resolve("forged.cbor"), tampered);
            CommandRun refused = CommandRun.of("certificate", "verify", forged.toString(), "--dir", lab);
            assertThat(refused.exit()).as("byte %d: %s", at, refused.out()).isEqualTo(1);
            assertThat(refused.errorLines()).hasSize(1);
        }
        aValueIsProvedOffline();
        CommandRun future = CommandRun.of("certificate", "show", "999999", "--dir", lab, "--timeout", "60");
        assertThat(future.exit()).isEqualTo(1);
        assertThat(future.errors()).contains("holds no certificate 999999");
    }

    @Test
    @Order(5)
    void thePortsAreTakenAndAnotherDeploymentIsTold() throws Exception {
        CommandRun second = CommandRun.of(node("appserver", 0));
        assertThat(second.exit()).isEqualTo(1);
        assertThat(second.errorLines()).hasSize(1);
        assertThat(second.errors()).contains("appserver-0 runs already", "a process with its key answers");

        Process replica = launch("second", node("bftserver", 0));
        processes.put("second", replica);
        assertThat(replica.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(replica.exitValue()).as(printed("second")).isEqualTo(1);
        assertThat(Files.readString(output("second", "err").toPath()).lines()).hasSize(1);
        processes.remove("second");

        String stale = folder.resolve("stale").toString();
        assertThat(CommandRun.of(ports.init(stale)).exit()).isZero();
        CommandRun taken = CommandRun.of("appserver", stale, "--index", "0");
        assertThat(taken.exit()).isEqualTo(1);
        assertThat(taken.errorLines()).hasSize(1);
        assertThat(taken.errors()).contains(Integer.toString(ports.linkPort(0)));
        CommandRun foreign = CommandRun.of("counter", "get", "likes/42", "--dir", stale, "--timeout", "60");
        assertThat(foreign.exit()).as(foreign.errors()).isEqualTo(1);
        assertThat(foreign.errorLines()).hasSize(1);
        CommandRun status = CommandRun.of("status", "--dir", stale);
        assertThat(status.exit()).isEqualTo(1);
        assertThat(status.out().lines().filter(line -> line.contains("other"))).hasSize(NODES);
    }

    /** The table of the servers, without that of the lag behind an empty line. */
    private static Stream<String> servers(CommandRun status) {
        return status.out().lines().takeWhile(line -> !line.isEmpty());
    }

    /** A plain script: commands with the default key run at once, each with the same content. */
    @Test
    @Order(5)
    void commandsWithOneKeyLoseNothing() throws Exception {
        int commands = 7;
        String[] increment = {"counter", "inc", "script/1", "--confirm", "--dir", lab, "--timeout", "60"};
        List<CompletableFuture<CommandRun>> running = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(commands);
        for (int i = 0; i < commands; i++) {
            running.add(CompletableFuture.supplyAsync(() -> CommandRun.of(increment), threads));
        }
        for (CompletableFuture<CommandRun> one : running) {
            CommandRun run = one.get(2, TimeUnit.MINUTES);
            assertThat(run.exit()).as(run.errors()).isZero();
        }
        threads.shutdown();
        assertThat(succeed("counter", "get", "script/1", "--level", "certified", "--dir", lab, "--timeout", "60")
                        .out())
                .startsWith(commands + " ");
    }

    /** The record of a client is lost: the next one with the key has numbers of its own. */
    @Test
    @Order(5)
    void aClientWhoseRecordIsLostGoesOn() throws Exception {
        String[] increment = {"counter", "inc", "lost/1", "--dir", lab, "--client", "lost", "--timeout", "60"};
        succeed(increment);
        try (Stream<Path> files = Files.list(Path.of(lab, "clients", "lost.state"))) {
            for (Path one : files.toList()) {
                Files.delete(one);
            }
        }
        succeed(increment);
        assertThat(succeed("counter", "get", "lost/1", "--dir", lab, "--client", "lost", "--timeout", "60")
                        .out())
                .isEqualToIgnoringNewLines("2");
    }

    @Test
    @Order(6)
    void aServerThatIsToldToStopEndsAndIsShownAsUnreachable() throws Exception {
        Process server = processes.get("appserver-3");
        server.destroy();
        assertThat(server.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        CommandRun status = CommandRun.of("status", "--dir", lab);
        assertThat(status.exit()).isEqualTo(3);
        assertThat(status.out()).containsPattern("appserver-3 +unreachable +no answer from http://127.0.0.1:");
        assertThat(servers(status).filter(line -> line.contains(" ready "))).hasSize(NODES - 1);
        JsonNode rows = new ObjectMapper()
                .readTree(CommandRun.of("status", "--dir", lab, "--json").out());
        assertThat(rows.at("/servers/3/reachable").asBoolean(true)).isFalse();
    }

    /** The commands' own words: an answer without a confirmation is not silence, and a frozen server says nothing at all. */
    @Test
    @Order(7)
    void anAnswerWithoutAConfirmationIsToldApartFromSilence() throws Exception {
        List<ProcessHandle> frozen = new ArrayList<>();
        for (int index = 0; index < NODES; index++) {
            frozen.addAll(processes.get("bftserver-" + index).descendants().toList());
        }
        frozen.add(processes.get("appserver-0").toHandle());
        try {
            for (ProcessHandle replica : frozen.subList(0, frozen.size() - 1)) {
                ProcessSignal.send(replica, "STOP");
            }
            answersWithoutConfirmation();
            ProcessSignal.send(frozen.get(frozen.size() - 1), "STOP");
            CommandRun silent =
                    CommandRun.of("counter", "get", "words/1", "--no-failover", "--dir", lab, "--timeout", "2");
            assertThat(silent.exit()).as(silent.errors()).isEqualTo(3);
            assertThat(silent.errorLines()).hasSize(1);
            assertThat(silent.errors()).doesNotContain("confirmed").contains("answer");
        } finally {
            frozen.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static void answersWithoutConfirmation() throws IOException, InterruptedException {
        CommandRun answered =
                CommandRun.of("counter", "inc", "words/1", "--dir", lab, "--confirm", "--timeout", "15", "--json");
        assertThat(answered.exit()).as(answered.errors()).isEqualTo(5);
        assertThat(answered.errorLines()).hasSize(1);
        assertThat(answered.errors()).contains("answered by appserver-", "not confirmed within 15 s");
        JsonNode report = new ObjectMapper().readTree(answered.out());
        assertThat(report.path("value").asLong()).isEqualTo(1);
        assertThat(report.path("confirmed").asBoolean(true)).isFalse();

        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> CommandRun.of("status", "--dir", lab).out().contains(" degraded "));
        assertThat(CommandRun.of("status", "--dir", lab).out()).contains("no certificate for ");
        assertThat(isReady(0)).as("answers go on").isTrue();
    }
}

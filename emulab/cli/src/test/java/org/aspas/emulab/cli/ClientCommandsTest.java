package org.aspas.emulab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a deployment that is not there, then is, then lacks a server. Each test goes on from the one before. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClientCommandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    static Path folder;

    private static String lab = "";
    private static final List<NodesHere> running = new ArrayList<>();

    @BeforeAll
    static void init() throws Exception {
        lab = folder.resolve("lab").toString();
        assertThat(CommandRun.of(FreePorts.choose().init(lab)).exit()).isZero();
    }

    @AfterAll
    static void stop() {
        running.forEach(NodesHere::close);
    }

    private static CommandRun run(String words) {
        List<String> all = new ArrayList<>(List.of(words.split(" ")));
        all.addAll(List.of("--dir", lab));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static JsonNode json(int exit, String words) throws Exception {
        CommandRun run = run(words + " --json");
        assertThat(run.exit()).as(words + ": " + run.errors()).isEqualTo(exit);
        return JSON.readTree(run.out());
    }

    private static CommandRun shell(String lines) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        try {
            return run("shell --timeout 60");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    @Order(1)
    void anUpdateThatNobodyAnswersIsKeptAndSaidToBe() throws Exception {
        CommandRun alone = run("counter inc likes/1 --by 2");
        assertThat(alone.exit()).as(alone.errors()).isEqualTo(7);
        assertThat(alone.out()).isEmpty();
        assertThat(alone.errorLines()).hasSize(1);
        assertThat(alone.errors()).containsPattern("kept as request [0-9a-f]{8}, will be sent with the next command");
        JsonNode kept = json(7, "counter inc likes/1 --by 3 --timeout 1");
        JsonNode list = json(0, "pending list");
        assertThat(list.path("requests")).hasSize(2);
        assertThat(alone.errors()).contains(list.at("/requests/0/request").asText());
        assertThat(list.at("/requests/1/request")).isEqualTo(kept.path("kept"));
        assertThat(list.at("/requests/1/key").asText()).isEqualTo("likes/1");
        assertThat(list.at("/requests/1/operation").asText()).isEqualTo("increment 3");
        assertThat(run("pending list").out()).contains("likes/1 increment 2", "likes/1 increment 3");
        assertThat(run("pending retry --timeout 1").exit()).isEqualTo(7);
        assertThat(json(0, "pending list --client other").path("requests")).isEmpty();
        assertThat(run("counter get likes/1 --timeout 1").exit())
                .as("a read keeps nothing")
                .isEqualTo(3);
    }

    @Test
    @Order(2)
    void whatIsKeptCanBeGivenUp() throws Exception {
        String first =
                json(7, "counter inc a --client giver --timeout 1").path("kept").asText();
        String second =
                json(7, "set add b x --client giver --timeout 1").path("kept").asText();
        assertThat(run("pending drop --client giver").exit()).isEqualTo(2);
        assertThat(run("pending drop 00000000 --client giver").errors()).contains("has no pending request 00000000");
        assertThat(run("pending drop " + first + " --client giver").out())
                .isEqualToIgnoringNewLines("dropped " + first + "  a increment 1");
        assertThat(json(0, "pending list --client giver").path("requests"))
                .singleElement()
                .satisfies(left -> assertThat(left.path("request").asText()).isEqualTo(second));
        assertThat(json(0, "pending drop --all --client giver").path("requests"))
                .hasSize(1);
        assertThat(run("pending list --client giver").out()).contains("nothing is pending for client giver");
    }

    @Test
    @Order(3)
    void whatWasKeptIsSentOnceAndConfirmedAlsoByACopyOfTheRecord() throws Exception {
        LabCopy.of(Path.of(lab), folder.resolve("copy"));
        running.add(NodesHere.start(Path.of(lab)));
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> run("status").exit() == 0 && !run("status").out().contains(" joining "));
        JsonNode sent = json(0, "pending retry --timeout 120");
        assertThat(sent.path("confirmed").asInt()).isEqualTo(2);
        assertThat(json(0, "pending list").path("requests")).isEmpty();
        assertThat(run("pending retry").out()).contains("nothing is pending for client cli");
        CommandRun copied = CommandRun.of(
                "pending", "retry", "--dir", folder.resolve("copy").toString(), "--timeout", "120", "--json");
        assertThat(copied.exit()).as(copied.errors()).isZero();
        assertThat(JSON.readTree(copied.out()).path("confirmed").asInt()).isEqualTo(2);
        JsonNode read = json(0, "counter get likes/1 --level certified --timeout 60");
        assertThat(read.path("value").asLong()).isEqualTo(5);
        assertThat(read.path("connect_ms").asDouble()).isPositive();
    }

    @Test
    @Order(4)
    void anUpdateOfAnotherTypeIsOneLineAndLeavesNothing() throws Exception {
        assertThat(run("set add comments/1 hello --confirm --timeout 60").exit())
                .isZero();
        for (String update : List.of("counter inc comments/1", "counter get comments/1")) {
            CommandRun wrong = run(update + " --timeout 60");
            assertThat(wrong.exit()).isEqualTo(1);
            assertThat(wrong.errors()).isEqualToIgnoringNewLines("aspas: comments/1 is a set, not a counter");
            assertThat(wrong.out()).isEmpty();
        }
        assertThat(run("pending list").out()).doesNotContain("comments/1");
        assertThat(run("counter inc likes/3 --timeout 60").out()).isEqualToIgnoringNewLines("1");
        assertThat(run("counter get likes/3 --timeout 60 --verbose").out()).matches("1  \\(version \\[[0-9,]+]\\)\n");
    }

    /** The time for the session is no part of the round trip. */
    @Test
    @Order(5)
    void aRoundTripIsNotTheTimeToConnect() throws Exception {
        long start = System.nanoTime();
        JsonNode far = json(0, "counter inc far/1 --world paper --place 2 --timeout 60");
        double whole = (System.nanoTime() - start) / 1e6;
        assertThat(far.path("round_trip_ms").asDouble()).isGreaterThanOrEqualTo(70);
        assertThat(far.path("connect_ms").asDouble()).isGreaterThanOrEqualTo(70);
        assertThat(far.path("round_trip_ms").asDouble() + far.path("connect_ms").asDouble())
                .isLessThan(whole);
    }

    @Test
    @Order(6)
    void theStatusShowsBftservers() throws Exception {
        JsonNode status = json(0, "status");
        assertThat(status.path("bftservers")).hasSize(4);
        for (JsonNode one : status.path("bftservers")) {
            assertThat(one.path("state").asText()).as(one.toString()).isEqualTo("linked");
            assertThat(one.path("linked_by").asInt()).isPositive();
            assertThat(one.path("certificate").asLong()).isPositive();
        }
        assertThat(StreamSupport.stream(status.path("bftservers").spliterator(), false)
                        .filter(one -> one.path("signed").asBoolean()))
                .as("2b+1 signatures make a certificate")
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(run("status").out()).containsPattern("bftserver-3 +linked +[1-4] of 4");
    }

    @Test
    @Order(7)
    void aShellKeepsItsConnection() throws Exception {
        CommandRun run = shell("""
                # a comment, and an empty line

                set add said/1 "well said" --json
                set get said/1 --json
                set get said/1 --levle certified
                help set get
                pending list
                exit
                counter inc never/1
                """);
        assertThat(run.exit()).as(run.out() + run.errors()).isEqualTo(2);
        assertThat(run.errors()).contains("did you mean --level");
        var answers = JSON.readerFor(JsonNode.class).<JsonNode>readValues(run.out());
        JsonNode added = answers.next();
        JsonNode read = answers.next();
        assertThat(added.path("connect_ms").asDouble()).isPositive();
        assertThat(read.path("connect_ms").asDouble(-1)).isZero();
        assertThat(read.at("/elements/0").asText()).isEqualTo("well said");
        assertThat(run.out()).contains("Read all elements").doesNotContain("never/1");
        assertThat(shell("set get 'open\n").exit()).isEqualTo(2);
    }

    @Test
    @Order(8)
    void topLooksAgainAndAgain() throws Exception {
        CommandRun run = run("top --count 2 --every 1 --json");
        assertThat(run.exit()).as(run.errors()).isZero();
        assertThat(run.out().lines()).hasSize(2);
        JsonNode second = JSON.readTree(run.out().lines().toList().get(1));
        assertThat(second.path("servers")).hasSize(4);
        assertThat(second.at("/servers/0/state").asText()).isEqualTo("ready");
        assertThat(second.at("/servers/0/updates_per_second").isNumber()).isTrue();
        assertThat(run("top --count 1").out()).contains("UPDATES/S").containsPattern("appserver-3 +ready");
        assertThat(run("top --every 0").exit()).isEqualTo(2);
    }

    @Test
    @Order(9)
    void anotherServerAnswersForOneThatIsGone() throws Exception {
        running.get(0).stopAppserver(0);
        JsonNode answer = json(0, "counter inc likes/1 --timeout 60");
        assertThat(answer.path("value").asLong()).isEqualTo(6);
        assertThat(answer.path("server").asInt()).isPositive();
        assertThat(answer.at("/left/0/server").asInt(-1)).isZero();
        assertThat(answer.at("/left/0/why").asText()).isEqualTo("unreachable");
        assertThat(run("counter get likes/1 --timeout 60").out())
                .containsPattern("no answer from appserver-0 in [0-9]+\\.[0-9] s, answered by appserver-[123]");
        CommandRun ordered = run("counter get likes/1 --server 0 --timeout 5");
        assertThat(ordered.exit()).as(ordered.errors()).isEqualTo(3);
        assertThat(ordered.errors()).contains("appserver-0");
        CommandRun alone = run("counter inc likes/1 --no-failover");
        assertThat(alone.exit()).as(alone.errors()).isEqualTo(7);
        assertThat(run("status").exit()).isEqualTo(3);
    }

    /** The first one is sent and waits for its certificate; the second one has no room, and says that nothing of it is left. */
    @Test
    @Order(10)
    void withTauOneAndNoCertificatesItIsSaidWhatIsKeptAndWhatIsNot() throws Exception {
        running.get(0).stopBftservers();
        String update = "counter inc late/1 --client late --server 1 --tau 1 --timeout 3";
        CommandRun first = run(update);
        assertThat(first.exit()).as(first.errors()).isEqualTo(7);
        assertThat(first.errors())
                .startsWith(
                        "aspas: with --tau 1 an answer waits for a certificate, and none covered the update within 3 s")
                .contains("kept as request");
        CommandRun second = run(update);
        assertThat(second.exit()).as(second.errors()).isEqualTo(3);
        assertThat(second.errorLines()).hasSize(1);
        assertThat(second.errors())
                .contains("the update is not sent, and not kept", "(unconfirmed: 1, --tau 1; see aspas pending list)");
        assertThat(json(0, "pending list --client late").path("requests")).hasSize(1);
    }
}

package org.aspas.emulab.testbed.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Update;
import org.aspas.client.core.Policy;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.ClusterOptions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One appserver of a deployment on real sockets turns Byzantine while clients write. */
class ByzantineServerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int BAD = 3;
    private static final int CLIENTS = 6;

    private final List<String> narration = new CopyOnWriteArrayList<>();
    private final List<AspasClient> clients = new ArrayList<>();
    private final List<Update> updates = new ArrayList<>();
    private final Map<String, Long> written = new TreeMap<>();
    private Cluster cluster;
    private Attack attack;

    @AfterEach
    void stop() {
        clients.forEach(AspasClient::close);
        cluster.close();
    }

    /**
     * Starts a cluster, clients that write, and then the attack.
     *
     * @param patience of the clients. On a busy machine, clients that leave for a doubt too soon leave the bad server nobody to fork; those
     *     to whom it shows the branch that is not certified leave for nothing else
     */
    private void start(String role, Duration patience) throws Exception {
        attack = new Attack(role, BAD, 1, narration::add);
        cluster = Cluster.start(new Quorums(1, 1), ClusterOptions.defaults().withMachines(attack::machine));
        cluster.awaitReady(PATIENCE);
        ClientOptions guarded = ClientOptions.defaults().withPatience(patience, patience);
        for (int number = 0; number < CLIENTS; number++) {
            AspasClient client = cluster.client(number % 2 == 0 ? BAD : number / 2, guarded);
            clients.add(client);
            attack.watch(number, client);
        }
        writeOnce();
        for (Update update : updates) {
            get(update.confirmed());
        }
        attack.begin();
    }

    /** Every client writes once; all of them touch one counter, and each has one of its own. */
    private void writeOnce() {
        for (int number = 0; number < clients.size(); number++) {
            for (String key : List.of("all", "own-" + number)) {
                updates.add(clients.get(number).counter(key).increment(1));
                written.merge(key, 1L, Long::sum);
            }
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private void writeUntilAllHaveLeft() {
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
            writeOnce();
            assertThat(clients).as("%s", narration).noneMatch(client -> client.server() == BAD);
        });
    }

    /** Whatever was written is confirmed, and every correct server proves a value that has all of it, once. */
    private void nothingIsLost() throws Exception {
        for (Update update : updates) {
            get(update.confirmed());
        }
        for (int server = 0; server < BAD; server++) {
            try (AspasClient reader =
                    cluster.client(server, ClientOptions.defaults().withPolicy(Policy.STAY))) {
                for (Map.Entry<String, Long> object : written.entrySet()) {
                    Awaitility.await()
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(
                                            get(reader.counter(object.getKey()).get(ReadLevel.CERTIFIED))
                                                    .value())
                                    .as("%s %s", object.getKey(), narration)
                                    .isEqualTo(object.getValue()));
                }
            }
        }
    }

    @Test
    void aForkIsProvedAndItsAuthorExcludedAndNothingIsLost() throws Exception {
        start("forking", Duration.ofSeconds(15));
        writeUntilAllHaveLeft();
        nothingIsLost();
        ByzantineReport report = attack.report(0);
        // Two histories contradict each other, and the answers from one of them contradict the other: what is seen
        // first.
        assertThat(report.proof())
                .as("%s", narration)
                .isIn("FORKED_ENTRIES", "FORKED_HEADS", "ANSWER_AGAINST_LOG", "ANSWER_AGAINST_HEAD");
        assertThat(report.verdict()).as("%s", narration).isNotNull();
        assertThat(report.excluded()).as("%s", narration).isNotNull();
        assertThat(report.switched()).as("%s", narration).isPositive();
        assertThat(report.withstood()).as("%s", report).isTrue();
        assertThat(narration)
                .anyMatch(line -> line.contains("first misdeed"))
                .anyMatch(line -> line.contains("excluded"));
    }

    @Test
    void aServerThatKeepsUpdatesToItselfIsLeftWithoutBlameAndNothingIsLost() throws Exception {
        start("silent-to-peers", Duration.ofSeconds(2));
        writeUntilAllHaveLeft();
        nothingIsLost();
        ByzantineReport report = attack.report(0);
        assertThat(report.detected()).as("%s", narration).isNotNull();
        assertThat(report.proof()).as("%s", narration).isNull();
        assertThat(report.excluded()).as("%s", narration).isNull();
        assertThat(report.switched()).as("%s", narration).isPositive();
        assertThat(report.resubmitted()).as("%s", narration).isPositive();
        assertThat(report.withstood()).as("%s", report).isTrue();
    }
}

package org.aspas.emulab.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.quorum.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Tolerance;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateConfirmation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The three tiers end to end on real sockets, with nodes missing. */
class ClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Cluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = Cluster.start(new Quorums(1, 1));
        cluster.awaitReady(PATIENCE);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aTau1UpdateReturnsOnlyWithAVerifiedConfirmation() throws Exception {
        try (AspasClient client = cluster.client(0, ClientOptions.defaults().withTolerance(Tolerance.CONFIRM_EACH))) {
            for (int round = 1; round <= 3; round++) {
                Update update = client.counter("strict").increment(1);
                boolean confirmedFirst = get(update.answered()
                        .thenApply(answer -> client.newestCertificate()
                                .filter(newest -> newest.content().version().covers(answer.dot()))
                                .isPresent()));
                assertThat(confirmedFirst).isTrue();
                UpdateConfirmation confirmation = get(update.confirmed());
                assertThat(confirmation.certificate().number()).isEqualTo(confirmation.certificateNumber());
                assertThat(client.statistics().exposure()).isEqualTo(1);
                assertThat(client.statistics().verificationFailures()).isZero();
            }
        }
    }

    @Test
    void aClientNeverHasMoreThanTauUnconfirmed() throws Exception {
        try (AspasClient client = cluster.client(1, ClientOptions.defaults().withTolerance(10))) {
            List<Update> updates = java.util.stream.IntStream.range(0, 50)
                    .mapToObj(unused -> client.counter("ten").increment(1))
                    .toList();
            for (Update update : updates) {
                get(update.confirmed());
            }
            assertThat(client.statistics().exposure()).isEqualTo(10);
        }
    }

    @Test
    void certifiedValuesReachEveryAppserver() throws Exception {
        try (AspasClient writer = cluster.client(0, ClientOptions.defaults())) {
            get(writer.counter("shared").increment(5).confirmed());
        }
        for (int server = 0; server < cluster.appservers(); server++) {
            try (AspasClient reader = cluster.client(server, ClientOptions.defaults())) {
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> get(reader.counter("shared").get(ReadLevel.CERTIFIED))
                                        .value()
                                == 5L);
            }
        }
    }

    @Test
    void withoutTheBackEndAndTheOtherAppserversAnswersAndLocalReadsGoOn() throws Exception {
        try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
            get(client.counter("alone").increment(1).confirmed());
            for (int replica = 0; replica < cluster.bftservers(); replica++) {
                cluster.stopBftserver(replica);
            }
            get(client.counter("alone").increment(1).answered());
            assertThat(get(client.counter("alone").get(ReadLevel.LOCAL)).value())
                    .isEqualTo(2L);

            for (int server = 1; server < cluster.appservers(); server++) {
                cluster.stopAppserver(server);
            }
            Update last = client.counter("alone").increment(1);
            get(last.answered());
            assertThat(get(client.counter("alone").get(ReadLevel.LOCAL)).value())
                    .isEqualTo(3L);
            assertThat(last.confirmed().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void withOneAppserverStoppedCertificatesStillFlow() throws Exception {
        cluster.stopAppserver(3);
        try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
            long first = get(client.counter("three").increment(1).confirmed())
                    .certificateNumber()
                    .value();
            long second = get(client.counter("three").increment(1).confirmed())
                    .certificateNumber()
                    .value();
            assertThat(second).isGreaterThan(first);
        }
    }

    @Test
    void withOneBftserverStoppedCertificatesStillFlow() throws Exception {
        cluster.stopBftserver(3);
        try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
            get(client.counter("three").increment(1).confirmed());
            get(client.counter("three").increment(1).confirmed());
        }
    }
}

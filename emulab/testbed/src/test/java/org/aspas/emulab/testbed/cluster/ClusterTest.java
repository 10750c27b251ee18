package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AddWinsSet;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.ReadResult;
import org.aspas.client.api.Tolerance;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateConfirmation;
import org.aspas.crdt.value.Value;
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

    /** What each node measures of the way from an answer to its confirmation. */
    @Test
    void everyStepOfCertificationIsMeasured() throws Exception {
        for (int server = 0; server < cluster.appservers(); server++) {
            try (AspasClient client = cluster.client(server, ClientOptions.defaults())) {
                get(client.counter("measured").increment(1).confirmed());
            }
        }
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> cluster.lagSteps(Duration.ofHours(1)).keySet().equals(EnumSet.allOf(LagStep.class)));
        for (int server = 0; server < cluster.appservers(); server++) {
            Map<LagStep, DurationFigures> told = cluster.probe(server).lagSteps();
            assertThat(told.keySet()).containsExactlyElementsOf(LagStep.of(Role.APPSERVER));
            assertThat(told.values())
                    .allSatisfy(figures -> assertThat(figures.count())
                            .isEqualTo(told.get(LagStep.WHOLE).count())
                            .isPositive());
        }
        Map<LagStep, DurationFigures> all = cluster.lagSteps(Duration.ofHours(1));
        long whole = all.get(LagStep.WHOLE).mean();
        long sum = LagStep.of(Role.APPSERVER).stream()
                        .mapToLong(step -> all.get(step).mean())
                        .sum()
                - whole;
        assertThat(sum).as("means add up but for rounding").isBetween(whole - 10, whole);
        assertThat(cluster.lagSteps(Duration.ZERO)).isEmpty();
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

    private long gauge(int server, String name) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(cluster.address(server).resolve("/v1/status"))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper()
                .readTree(response.body())
                .path("gauges")
                .path(name)
                .asLong(-1);
    }

    /** From the ninth request of a session on: from the fifth the client tags, and for the fifth tag a server makes the secret. */
    @Test
    void peersTakeRequestsByTheirTags() throws Exception {
        try (AspasClient client = cluster.client(1, ClientOptions.defaults().withTolerance(Tolerance.CONFIRM_EACH))) {
            for (int i = 0; i < 30; i++) {
                get(client.counter("tagged").increment(1).confirmed());
            }
            assertThat(get(client.counter("tagged").get(ReadLevel.CERTIFIED)).value())
                    .isEqualTo(30);
        }
        for (int server : List.of(0, 2, 3)) {
            // What came with a certificate before it came with its tag asked for none.
            Awaitility.await().atMost(PATIENCE).until(() -> gauge(server, "tags_right") > 0);
            assertThat(gauge(server, "tags_right")).isLessThanOrEqualTo(22);
            assertThat(gauge(server, "tags_wrong")).isZero();
        }
        assertThat(gauge(1, "tags_right")).as("the home").isZero();
    }

    private JsonNode json(String query) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        cluster.address(2).resolve("/v1/sets/large?level=certified&" + query))
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return new ObjectMapper().readTree(response.body());
    }

    /** The set has more elements than a page takes, and more bytes than 1 MiB. */
    @Test
    void aSetOfManyPagesIsReadByPagesAndByElements() throws Exception {
        Set<Value> all = new HashSet<>();
        try (AspasClient writer = cluster.client(0, ClientOptions.defaults())) {
            List<Update> updates = new ArrayList<>();
            for (int i = 0; i < 1400; i++) {
                Value element = i < 300 ? Value.of(i + "x".repeat(4000)) : Value.of(i);
                all.add(element);
                updates.add(writer.set("large").add(element));
            }
            for (Update update : updates) {
                get(update.confirmed());
            }
        }
        try (AspasClient reader = cluster.client(2, ClientOptions.defaults())) {
            AddWinsSet set = reader.set("large");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> Objects.requireNonNull(get(set.firstPage()).elements())
                                    .size()
                            == all.size());
            ReadResult<Set<Value>> page = get(set.firstPage());
            CertificateNumber certificate = page.certificateNumber();
            Set<Value> found = new HashSet<>(page.value());
            int pages = 1;
            for (var next = set.pageAfter(page); next.isPresent(); next = set.pageAfter(page), pages++) {
                page = get(next.get());
                assertThat(page.certificateNumber()).isEqualTo(certificate);
                found.addAll(page.value());
            }
            assertThat(found).isEqualTo(all);
            assertThat(pages).isGreaterThan(4);
            assertThat(get(set.contains(Value.of(301), ReadLevel.CERTIFIED)).value())
                    .isTrue();
            assertThat(get(set.contains(Value.of(17), ReadLevel.CERTIFIED)).value())
                    .isFalse();
            assertThat(get(set.contains("17" + "x".repeat(4000), ReadLevel.LOCAL))
                            .value())
                    .isTrue();
            assertThat(get(set.get(ReadLevel.CERTIFIED)).value()).isEqualTo(all);
            assertThat(reader.statistics().verificationFailures()).isZero();
        }
        int elements = 0;
        String query = "page=first";
        while (!query.isEmpty()) {
            JsonNode page = json(query);
            elements += page.get("value").size();
            JsonNode rest = page.get("elements");
            query = rest.has("next")
                    ? "page=" + rest.get("next").textValue() + "&certificate="
                            + rest.get("certificate").asLong()
                    : "";
        }
        assertThat(elements).isEqualTo(1400);
        assertThat(json("element=301").get("value")).hasSize(1);
        assertThat(json("element=17").get("value")).isEmpty();
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

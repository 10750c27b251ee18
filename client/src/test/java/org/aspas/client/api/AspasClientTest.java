package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.Refusal;
import org.aspas.client.ScriptedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AspasClientTest {
    private static final SigningKey KEY = ScriptedServer.key(1);

    private final ClientResources resources = ClientResources.create(2);
    private Descriptor descriptor;
    private ScriptedServer server;
    private LoopbackTransport transport;

    @BeforeEach
    void deploy() throws DescriptorFile.InvalidDescriptor {
        descriptor = descriptor();
        server = new ScriptedServer(descriptor.id());
        transport = new LoopbackTransport(server);
    }

    @AfterEach
    void stop() {
        resources.close();
    }

    private static Descriptor descriptor() throws DescriptorFile.InvalidDescriptor {
        SigningKey operator = ScriptedServer.key(250);
        List<NodeDescription> nodes = new ArrayList<>();
        for (int i = 0; i < ScriptedServer.SERVERS; i++) {
            SigningKey key = i == 0 ? ScriptedServer.SERVER_KEY : ScriptedServer.key(100 + i);
            nodes.add(new NodeDescription(NodeId.appserver(i), key.publicKey(), "localhost", 0, 1, new byte[0]));
            nodes.add(new NodeDescription(
                    NodeId.bftserver(i), ScriptedServer.BFT_KEYS.get(i).publicKey(), "localhost", 0, 1, new byte[] {1
                    }));
        }
        return DescriptorFile.sign(operator, "test", ScriptedServer.QUORUMS, nodes, Set.of(), Limits.DEFAULT)
                .open(operator.publicKey());
    }

    private ClientOptions options() {
        return ClientOptions.defaults()
                .withResources(resources)
                .withTransport((index, real) -> index == 0 ? transport : real);
    }

    private AspasClient client(ClientOptions options) {
        return AspasClient.connect(descriptor, KEY, 0, options);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private static void assertFails(CompletionStage<?> stage, Class<? extends AspasException> type) {
        assertThatThrownBy(() -> get(stage))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(type);
    }

    @Test
    void answersConfirmsAndReads() throws Exception {
        try (AspasClient client = client(options())) {
            Update update = client.counter("likes/42").increment(3);
            assertThat(get(update.answered()).number()).isEqualTo(1);
            assertThat(update.confirmed().toCompletableFuture()).isNotDone();
            transport.certify();
            assertThat(get(update.confirmed()).certificateNumber()).isEqualTo(CertificateNumber.FIRST);
            assertThat(get(client.counter("likes/42").get(ReadLevel.LOCAL)).value())
                    .isEqualTo(3);
            ReadResult<Long> certified = get(client.counter("likes/42").get(ReadLevel.CERTIFIED));
            assertThat(certified.value()).isEqualTo(3);
            assertThat(certified.certificate())
                    .isEqualTo(client.newestCertificate().orElseThrow());
            assertThat(get(client.certificate(CertificateNumber.NONE))).contains(server.certificates.get(1L));
            assertThat(get(client.certificate(new CertificateNumber(9)))).isEmpty();
            ClientStatistics statistics = client.statistics();
            assertThat(statistics.verificationFailures()).isZero();
            assertThat(statistics.confirmed()).isEqualTo(1);
            assertThat(statistics.certificate()).isEqualTo(1);
            assertThat(statistics.exposure()).isEqualTo(1);
            assertThat(statistics.waitedShare()).isZero();
        }
    }

    @Test
    void manyThreadsShareOneClient() throws Exception {
        try (AspasClient client = client(options().withTolerance(10))) {
            List<Thread> threads = new ArrayList<>();
            List<Update> updates = java.util.Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 4; i++) {
                Thread thread = new Thread(() -> {
                    for (int j = 0; j < 100; j++) {
                        updates.add(client.counter("c").increment(1));
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await().atMost(Duration.ofSeconds(20)).until(() -> {
                transport.certify();
                return client.statistics().confirmed() == 400;
            });
            ClientStatistics statistics = client.statistics();
            assertThat(statistics.tolerance()).isEqualTo(10);
            assertThat(statistics.exposure()).isEqualTo(10);
            assertThat(statistics.unconfirmed() + statistics.waiting()).isZero();
            assertThat(statistics.waitedShare()).isPositive().isLessThan(1);
            assertThat(server.counters).containsEntry("c", 400L);
            for (Update update : updates) {
                assertThat(update.confirmed().toCompletableFuture()).isCompleted();
            }
        }
    }

    @Test
    void reconnectsAndSendsAgain() throws Exception {
        try (AspasClient client = client(options())) {
            get(client.ready());
            transport.hold();
            Update update = client.counter("c").increment(1);
            await().until(() -> transport.heldFrames() == 1);
            transport.cut();
            get(update.answered());
            assertThat(client.statistics().connections()).isEqualTo(2);
        }
    }

    @Test
    void closingFailsWhatIsPending() throws Exception {
        AspasClient client = client(options().withTolerance(1));
        Update update = client.counter("c").increment(1);
        get(client.ready());
        client.close();
        assertFails(update.answered(), AspasException.ClientClosed.class);
        assertFails(update.confirmed(), AspasException.ClientClosed.class);
        assertFails(client.counter("c").increment(1).answered(), AspasException.ClientClosed.class);
        client.close();
    }

    @Test
    void saysThatTheServerCannotBeReached() {
        transport.goDown();
        try (AspasClient client = client(options().withConnectAttempts(2))) {
            Update update = client.counter("c").increment(1);
            assertFails(client.ready(), AspasException.Unreachable.class);
            assertFails(update.answered(), AspasException.Unreachable.class);
            // Whoever calls late learns the same, and not that the client is closed.
            assertFails(client.counter("c").increment(1).answered(), AspasException.Unreachable.class);
        }
    }

    @Test
    void aConnectionThatTheClientDropsIsOneFailedAttempt() throws Exception {
        transport.answerNext(new Refusal(0, false, Refusal.Reason.BUSY, "later"));
        try (AspasClient client = client(options().withConnectAttempts(2))) {
            get(client.ready());
            assertThat(get(client.counter("c").increment(1).answered()).number())
                    .isEqualTo(1);
        }
    }

    @Test
    void refusesAServerOfAnotherDeployment() {
        ClientOptions elsewhere = options().withTransport((index, real) -> {
            LoopbackTransport stranger = new LoopbackTransport(new ScriptedServer(Hash.ZERO));
            stranger.hold();
            return stranger;
        });
        try (AspasClient client = client(elsewhere)) {
            assertFails(client.ready(), AspasException.WrongServer.class);
        }
    }

    @Test
    void theNextClientGivesAgainWhatTheOneBeforeLeft(@TempDir Path directory) throws Exception {
        ClientOptions options = options().withState(new FileClientState(directory.resolve("state"), descriptor.id()));
        try (AspasClient client = client(options)) {
            get(client.counter("c").increment(1).answered());
        }
        try (AspasClient client = client(options)) {
            Update update = client.counter("c").increment(1);
            assertThat(get(update.answered()).number())
                    .as("each start has its own numbers")
                    .isEqualTo(1);
            transport.certify();
            get(update.confirmed());
        }
        var record = new FileClientState(directory.resolve("state"), descriptor.id())
                .load()
                .orElseThrow();
        assertThat(record.certificate()).isEqualTo(CertificateNumber.FIRST);
        assertThat(record.unconfirmed()).isEmpty();
        assertThat(server.counters).containsEntry("c", 2L);
    }

    @Test
    void malformedCallsFail() {
        try (AspasClient client = client(options())) {
            assertFails(client.counter("c").increment(0).answered(), AspasException.InvalidCall.class);
            assertThatThrownBy(() -> client.tolerance(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

package org.aspas.client.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.ScriptedServer;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Policy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AspasClientTest {
    private static final SigningKey KEY = ScriptedServer.key(1);

    private LoopbackDeployment deployment;
    private Descriptor descriptor;
    private ScriptedServer server;
    private LoopbackTransport transport;

    @BeforeEach
    void deploy() throws DescriptorFile.InvalidDescriptor {
        deployment = new LoopbackDeployment();
        descriptor = deployment.descriptor;
        server = deployment.server;
        transport = deployment.transport;
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    private ClientOptions options() {
        return deployment.options();
    }

    private AspasClient client(ClientOptions options) {
        return AspasClient.connect(descriptor, KEY, 0, options);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(300, TimeUnit.SECONDS);
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
            await().atMost(Duration.ofSeconds(300)).until(() -> {
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
            await().atMost(Duration.ofSeconds(300)).until(() -> transport.heldFrames() == 1);
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
            assertThatThrownBy(() -> get(client.ready()))
                    .hasMessageContaining("another deployment answers in place of appserver-")
                    .hasMessageContaining(
                            ": 00000000, not " + descriptor.id().toString().substring(0, 8) + ";");
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
    void theToleranceIsWhatWasSetLast() {
        try (AspasClient client = client(options().withTolerance(5))) {
            assertThat(client.tolerance()).isEqualTo(5);
            client.tolerance(7);
            assertThat(client.tolerance()).isEqualTo(7);
            client.tolerance(Tolerance.UNBOUNDED);
            assertThat(client.tolerance()).isEqualTo(Tolerance.UNBOUNDED);
        }
    }

    /** Several parts of a program share one update: none of them ends it for the others. */
    @Test
    void aCallerCannotCompleteWhatItIsGiven() throws Exception {
        try (AspasClient client = client(options())) {
            get(client.ready());
            transport.hold();
            Update update = client.counter("c").increment(1);
            assertThatThrownBy(() -> ((CompletableFuture<UpdateAnswer>) update.answered()).cancel(true))
                    .isInstanceOf(UnsupportedOperationException.class);
            update.answered().toCompletableFuture().cancel(true);
            update.confirmed().toCompletableFuture().completeExceptionally(new IllegalStateException("mine"));
            CompletionStage<ReadResult<Long>> read = client.counter("c").get(ReadLevel.LOCAL);
            read.toCompletableFuture().cancel(true);
            client.ready().toCompletableFuture().obtrudeValue(99L);
            transport.cut();
            assertThat(get(update.answered()).counter()).hasValue(1);
            assertThat(get(read).value()).isEqualTo(1);
            assertThat(get(client.ready())).isNotEqualTo(99);
            transport.certify();
            get(update.confirmed());
        }
    }

    @Test
    void aFailureSaysWhatWasCalledAndWhere() {
        try (AspasClient client = client(options())) {
            Throwable failure = catchThrowable(
                    () -> get(client.counter("likes/42").increment(0).answered()));
            AspasException found = AspasException.in(failure).orElseThrow();
            assertThat(found).isInstanceOf(AspasException.InvalidCall.class);
            assertThat(found).hasMessageStartingWith("update of likes/42: ");
            assertThat(found.getStackTrace()).isNotEmpty();
            assertThat(AspasException.in(new IllegalStateException())).isEmpty();
        }
    }

    /** In words of this library: what a server says of the type is one server's word. */
    @Test
    void anotherTypeIsSaidInPlainWords() {
        try (AspasClient client = client(options().withPolicy(Policy.STAY))) {
            Throwable failure = catchThrowable(
                    () -> get(client.set("likes/42", ElementType.TEXT).add("x").answered()));
            assertThat(AspasException.in(failure).orElseThrow())
                    .isInstanceOfSatisfying(
                            AspasException.MayTakeEffect.class,
                            doubt -> assertThat(doubt.why())
                                    .isEqualTo(
                                            new Failure.Refused(Refusal.Reason.WRONG_TYPE, "likes/42 is not a set")));
        }
    }
}

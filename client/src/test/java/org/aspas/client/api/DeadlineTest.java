package org.aspas.client.api;

import static org.aspas.client.api.LoopbackDeployment.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A deadline ends the waiting, and never makes of one update two. */
class DeadlineTest {
    private static final Duration SHORT = Duration.ofMillis(60);
    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private LoopbackDeployment deployment;

    @BeforeEach
    void deploy() throws Exception {
        deployment = new LoopbackDeployment();
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    private static AspasException failure(CompletionStage<?> stage) {
        return AspasException.in(catchThrowable(() -> get(stage))).orElseThrow();
    }

    @Test
    void anUpdateThatIsOnItsWayMayTakeEffectAndIsConfirmedLater() throws Exception {
        try (AspasClient client = deployment.client(deployment.options().withDeadlines(SHORT, Duration.ZERO))) {
            get(client.ready());
            deployment.transport.hold();
            Update update = client.counter("c").increment(1);
            assertThat(failure(update.answered()))
                    .isInstanceOf(AspasException.MayTakeEffect.class)
                    .hasMessage("update of c may take effect all the same: no answer within 60 ms");
            deployment.transport.cut();
            get(client.counter("c").within(Duration.ofSeconds(30)).increment(10).answered());
            deployment.transport.certify();
            assertThat(get(update.confirmed()).number()).isEqualTo(1);
            assertThat(deployment.server.counters).containsEntry("c", 11L);
        }
    }

    /** With τ = 1 the second waits for room. Nothing of it is signed, so that it is withdrawn. */
    @Test
    void anUpdateThatWaitsForRoomIsWithdrawn() throws Exception {
        try (AspasClient client = deployment.client(deployment.options().withTolerance(1))) {
            Update first = client.counter("c").increment(1);
            Update second = client.counter("c").within(SHORT).increment(10);
            Update third = client.counter("c").increment(100);
            assertThat(failure(second.answered()))
                    .isInstanceOf(AspasException.TimedOut.class)
                    .hasMessage("update of c: no answer within 60 ms");
            assertThat(failure(second.confirmed())).isInstanceOf(AspasException.TimedOut.class);
            deployment.transport.certify();
            get(first.confirmed());
            assertThat(client.statistics().waiting()).isZero();
            await().atMost(PATIENCE).until(() -> {
                deployment.transport.certify();
                return third.confirmed().toCompletableFuture().isDone();
            });
            assertThat(get(third.answered()).number()).isEqualTo(2);
            assertThat(deployment.server.counters).containsEntry("c", 101L);
        }
    }

    @Test
    void aConfirmationThatIsLateIsSaid() throws Exception {
        try (AspasClient client = deployment.client(deployment.options().withDeadlines(Duration.ZERO, SHORT))) {
            Update update = client.counter("c").increment(1);
            get(update.answered());
            assertThat(failure(update.confirmed()))
                    .isInstanceOf(AspasException.MayTakeEffect.class)
                    .hasMessage("update of c may take effect all the same: no confirmation within 60 ms");
            deployment.transport.certify();
            await("the late one counts")
                    .atMost(PATIENCE)
                    .until(() -> client.statistics().confirmed() == 1);
        }
    }

    @Test
    void aReadHasADeadlineOfItsOwn() throws Exception {
        try (AspasClient client = deployment.client(deployment.options())) {
            get(client.ready());
            deployment.transport.hold();
            assertThat(failure(client.counter("c").within(SHORT).get(ReadLevel.LOCAL)))
                    .isInstanceOf(AspasException.TimedOut.class)
                    .hasMessage("read of c: no answer within 60 ms");
            assertThat(failure(client.set("s").within(SHORT).contains("x", ReadLevel.LOCAL)))
                    .isInstanceOf(AspasException.TimedOut.class);
            deployment.transport.cut();
            assertThat(get(client.counter("c").get(ReadLevel.LOCAL)).value()).isZero();
        }
    }

    /** So many that what came in time is forgotten, and the one timer serves those that are left. */
    @Test
    void whatCameInTimeIsNotFailed() throws Exception {
        try (AspasClient client = deployment.client(deployment.options().withDeadlines(SHORT, Duration.ZERO))) {
            Counter patient = client.counter("c").within(Duration.ofSeconds(60));
            for (int i = 0; i < 5_000; i++) {
                get(patient.increment(1).answered());
            }
            deployment.transport.hold();
            assertThat(failure(client.counter("c").increment(1).answered()))
                    .isInstanceOf(AspasException.MayTakeEffect.class);
            assertThat(client.statistics().failed()).isZero();
        }
    }

    @Test
    void deadlinesOutOfRangeAreRefused() {
        for (Duration wrong : new Duration[] {Duration.ofNanos(1), Duration.ofMillis(-1), Duration.ofDays(366)}) {
            assertThatThrownBy(() -> deployment.options().withDeadlines(wrong, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> deployment.options().withDeadlines(Duration.ZERO, wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}

package org.aspas.emulab.baselines.obft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.junit.jupiter.api.Test;

/** OBFT on real sockets: answers survive its synchronisations, and its figures count them. */
class ObftSystemTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CLIENTS = 8;
    private static final int ROUNDS = 50;

    private final Ledger ledger = new Ledger();

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static StoreSession open(ObftSystem system, int client) throws Exception {
        return get(system.open(new SessionSettings(client, ToleranceClass.TAU_UNBOUNDED, Duration.ofMillis(4), false)));
    }

    /** All clients at once, each one update after the other. */
    private void write(List<StoreSession> sessions) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<CompletionStage<?>> answers = new ArrayList<>();
            for (int client = 0; client < sessions.size(); client++) {
                answers.add(sessions.get(client).increment("c" + client % 3, 1).answered());
                answers.add(
                        sessions.get(client).add("s", client + "-" + round % 10).answered());
            }
            for (CompletionStage<?> answer : answers) {
                get(answer);
            }
            for (int client = 0; client < sessions.size(); client++) {
                ledger.incremented("c" + client % 3, 1);
                ledger.added("s", client + "-" + round % 10);
            }
        }
    }

    @Test
    void whatWasAnsweredIsAtAllReplicasAfterSynchronisations() throws Exception {
        try (ObftSystem system = ObftSystem.start(new Quorums(1, 1), 150, PATIENCE, null)) {
            List<StoreSession> sessions = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                sessions.add(open(system, client));
            }
            write(sessions);
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.differences()).isEmpty();
            assertThat(convergence.converged()).isTrue();
            assertThat(convergence.objects()).isEqualTo(4);
            assertThat(get(sessions.get(0).counter("nobody"))).isZero();
            assertThat(get(sessions.get(0).set("nobody"))).isEqualTo(Set.of());
            assertThat(sessions)
                    .allSatisfy(session ->
                            assertThat(session.verificationFailures()).isZero());
            var figures = system.takeFigures();
            assertThat(figures.get("synchronisations")).isBetween(3.0, 2.0 * CLIENTS * ROUNDS / 150 + 2);
            assertThat(figures.get("stopped_share")).isBetween(0.001, 0.999);
            assertThat(figures.get("undone")).isZero();
        }
    }

    @Test
    void theOthersSynchroniseWithoutAStoppedReplica() throws Exception {
        try (ObftSystem system = ObftSystem.start(new Quorums(1, 1), 150, PATIENCE, null)) {
            system.stop(3);
            List<StoreSession> sessions = List.of(open(system, 0), open(system, 1), open(system, 2));
            write(sessions);
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.differences()).isEmpty();
            assertThat(convergence.asked()).isEqualTo(3);
            assertThat(system.takeFigures().get("synchronisations")).isGreaterThanOrEqualTo(2.0);
        }
    }

    @Test
    void anAnswerThatIsNowhereIsFound() throws Exception {
        try (ObftSystem system = ObftSystem.start(new Quorums(1, 1), 1000, PATIENCE, null)) {
            ledger.incremented("never", 3);
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.converged()).isFalse();
            assertThat(convergence.lost()).isEqualTo(3);
        }
    }
}

package org.aspas.emulab.baselines.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.baselines.ap.CausalMachine;
import org.aspas.emulab.baselines.ap.EchoMachine;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.junit.jupiter.api.Test;

/** Rivals on real sockets, behind the appserver's own shells. */
class ShellSystemTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Ledger ledger = new Ledger();

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static ShellSystem ap() throws Exception {
        ShellServers servers = ShellServers.start(
                new Quorums(1, 1), server -> (settings, records, store, links) -> new CausalMachine(settings));
        ShellSystem system = new ShellSystem("ap", servers, true);
        system.awaitServing(PATIENCE);
        return system;
    }

    private static StoreSession open(ShellSystem system, int client) throws Exception {
        return get(system.open(new SessionSettings(client, ToleranceClass.TAU_UNBOUNDED, Duration.ZERO)));
    }

    private void write(StoreSession session, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            get(session.increment("c" + round % 3, 1).answered());
            ledger.incremented("c" + round % 3, 1);
            get(session.add("s", "e" + round).answered());
            ledger.added("s", "e" + round);
        }
    }

    @Test
    void serversOfApConvergeOnWhatTheyAcknowledged() throws Exception {
        try (ShellSystem system = ap()) {
            for (int client = 0; client < 4; client++) {
                write(open(system, client), 10);
            }
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.differences()).isEmpty();
            assertThat(convergence.converged()).isTrue();
            assertThat(convergence.objects()).isEqualTo(4);
        }
    }

    @Test
    void theOthersGoOnWithoutAStoppedServerAndKeepWhatItSpread() throws Exception {
        try (ShellSystem system = ap()) {
            write(open(system, 3), 10);
            Convergence spread = system.converge(ledger, PATIENCE);
            assertThat(spread.differences()).isEmpty();
            assertThat(spread.converged()).isTrue();
            system.servers().stop(3);
            write(open(system, 0), 10);
            write(open(system, 1), 10);
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.differences()).isEmpty();
            assertThat(convergence.asked()).isEqualTo(3);
        }
    }

    @Test
    void anUnansweredUpdateOfAStoppedServerFails() throws Exception {
        try (ShellSystem system = ap()) {
            StoreSession session = open(system, 2);
            system.servers().stop(2);
            assertThatThrownBy(() -> get(session.increment("c", 1).answered()))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("the connection is gone");
        }
    }

    @Test
    void aLostUpdateIsFound() throws Exception {
        try (ShellSystem system = ap()) {
            write(open(system, 0), 1);
            ledger.incremented("c0", 1);
            ledger.added("s", "never");
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.converged()).isFalse();
            assertThat(convergence.lost()).isEqualTo(2);
            assertThat(convergence.differences()).hasSize(8);
        }
    }

    @Test
    void anEchoAnswersAndKeepsNothing() throws Exception {
        ShellServers servers = ShellServers.start(
                new Quorums(1, 1), server -> (settings, records, store, links) -> new EchoMachine(settings));
        try (ShellSystem system = new ShellSystem("echo", servers, false)) {
            system.awaitServing(PATIENCE);
            StoreSession session = open(system, 0);
            write(session, 3);
            assertThat(get(session.counter("c0"))).isEqualTo(6);
            assertThat(get(session.set("s"))).isEqualTo(Set.of());
            assertThat(system.converge(ledger, PATIENCE).converged()).isTrue();
        }
    }
}

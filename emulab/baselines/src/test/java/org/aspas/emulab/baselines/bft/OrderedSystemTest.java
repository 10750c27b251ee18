package org.aspas.emulab.baselines.bft;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Response;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.baselines.shell.NoSignatures;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.junit.jupiter.api.Test;

/** Ordered stores on real sockets, with a replica that stops or lies. */
class OrderedSystemTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Quorums QUORUMS = new Quorums(1, 1);

    private final Ledger ledger = new Ledger();

    /** A replica that executes what is ordered, and always answers -1. */
    private static final class Liar implements OrderedMachine {
        private final OrderedStore store = new OrderedStore();

        @Override
        public byte[] apply(byte[] command) {
            byte[] answer = store.apply(command);
            return answer.length == 0 ? answer : twisted(answer);
        }

        private static byte[] twisted(byte[] answer) {
            Response right = Codec.decode(answer, Answer.class)
                    .accepted()
                    .orElseThrow()
                    .response()
                    .message();
            Response wrong = new Response(
                    right.server(),
                    right.sequence(),
                    right.client(),
                    right.reference(),
                    Value.of(-1),
                    right.dot(),
                    right.leaf(),
                    right.version(),
                    right.roots(),
                    right.certificate(),
                    right.certificateDigest());
            return Codec.encode(new Answer(NoSignatures.seal(wrong), null, null));
        }

        @Override
        public byte[] snapshot() {
            return store.snapshot();
        }

        @Override
        public void restore(byte[] snapshot) {
            store.restore(snapshot);
        }
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static StoreSession open(OrderedSystem system, int client) throws Exception {
        return get(system.open(new SessionSettings(client, ToleranceClass.TAU_UNBOUNDED, Duration.ZERO))
                .thenApply(session -> (StoreSession) session));
    }

    private void write(StoreSession session, int rounds) throws Exception {
        for (int round = 0; round < rounds; round++) {
            get(session.increment("c", 1).answered());
            ledger.incremented("c", 1);
            get(session.add("s", "e" + round).answered());
            ledger.added("s", "e" + round);
        }
    }

    private void goesOnWithoutAReplica(OrderedSystem system) throws Exception {
        try (system) {
            system.awaitServing(PATIENCE);
            StoreSession one = open(system, 0);
            StoreSession other = open(system, 1);
            write(one, 5);
            system.replicas().stop(3);
            write(other, 5);
            assertThat(get(one.counter("c"))).isEqualTo(10);
            assertThat(get(one.set("s"))).isEqualTo(Set.of("e0", "e1", "e2", "e3", "e4"));
            Convergence convergence = system.converge(ledger, PATIENCE);
            assertThat(convergence.differences()).isEmpty();
            assertThat(convergence.asked()).isEqualTo(3);
        }
    }

    @Test
    void bareReplicasGoOnWithoutOne() throws Exception {
        goesOnWithoutAReplica(OrderedSystems.bare("bft", QUORUMS));
    }

    @Test
    void containedReplicasGoOnWithoutOne() throws Exception {
        goesOnWithoutAReplica(OrderedSystems.contained("bft-contained", QUORUMS, replica -> new OrderedStore()));
    }

    @Test
    void relayedClientsGoOnWithoutAReplica() throws Exception {
        goesOnWithoutAReplica(OrderedSystems.relayed("bft-relayed", QUORUMS, null));
    }

    @Test
    void inTheWorldOfThePaperAnUpdateTakesTheWayToTheClusterAndItsRounds() throws Exception {
        WorldMap paper = WorldReader.read("paper", ShippedWorlds.file("paper").orElseThrow(), role -> true);
        try (EmulatedNetwork network = new EmulatedNetwork(paper, 1);
                OrderedSystem system = OrderedSystems.inCluster("bft-contained", QUORUMS, network)) {
            system.awaitServing(PATIENCE);
            StoreSession session =
                    get(system.open(new SessionSettings(0, ToleranceClass.TAU_UNBOUNDED, Duration.ZERO, true))
                            .thenApply(opened -> (StoreSession) opened));
            write(session, 1);
            long start = System.nanoTime();
            get(session.increment("c", 1).answered());
            ledger.incremented("c", 1);
            // 70 ms to the cluster and back, and three one-way delays of 5 ms in it.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(85));
            assertThat(network.isUsed()).isTrue();
            assertThat(system.converge(ledger, PATIENCE).converged()).isTrue();
        }
    }

    @Test
    void noClientBelievesALyingReplica() throws Exception {
        try (OrderedSystem system = OrderedSystems.contained(
                "bft-contained", QUORUMS, replica -> replica == 2 ? new Liar() : new OrderedStore())) {
            system.awaitServing(PATIENCE);
            StoreSession session = open(system, 0);
            write(session, 10);
            assertThat(get(session.counter("c"))).isEqualTo(10);
            assertThat(system.converge(ledger, PATIENCE).converged()).isTrue();
        }
    }
}

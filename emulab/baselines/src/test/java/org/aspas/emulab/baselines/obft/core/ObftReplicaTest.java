package org.aspas.emulab.baselines.obft.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What correct replicas guarantee, whoever lies and whatever is lost, over many seeds. */
class ObftReplicaTest {
    private static final int SEEDS = 8;

    @Test
    void withoutFaultsNothingIsUndoneOrFetched() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedGroup group = new SimulatedGroup(seed, 1, 100, -1, Optional.empty(), List.of());
            group.run(3, 60);
            check(seed, group);
            assertThat(group.ended.get(0)).as("seed " + seed).hasSizeGreaterThanOrEqualTo(720 / 130);
            assertThat(group.ended.values().stream().flatMap(List::stream))
                    .as("seed " + seed)
                    .allSatisfy(over -> assertThat(List.of(over.undone(), over.fetched(), over.round()))
                            .containsExactly(0, 0, 0));
        }
    }

    /** The costs that docs/systems/obft.md names: of an update, and of a synchronisation but for clocks, which are periodic too. */
    @Test
    void messagesAreAsManyAsThePageSays() {
        SimulatedGroup group = new SimulatedGroup(1, 1, 100, -1, Optional.empty(), List.of());
        group.run(3, 60);
        int replicas = 4;
        int synchronisations = group.ended.get(0).size();
        assertThat(group.sent.get(3)).as("operations").isEqualTo(3 * replicas * 60 * (replicas - 1));
        assertThat(group.sent.get(5)).as("reports").isEqualTo(synchronisations * (replicas - 1));
        assertThat(group.sent.get(6)).as("proposals").isEqualTo(synchronisations * (replicas - 1));
        assertThat(group.sent.get(7)).as("votes").isEqualTo(synchronisations * 2 * replicas * (replicas - 1));
        assertThat(group.sent.keySet()).as("kinds").containsExactly(3, 4, 5, 6, 7);
    }

    /** Replica 0 has an operation of replica 1, and replica 2 says what it has. */
    private static List<Effect> afterClocks(VersionVector counts, boolean same) {
        List<ObftKeys> keys =
                ObftKeys.deal(4, new byte[1], Ed25519Choice.ofThisProcess().scheme());
        SharedOperation bare = ObftCodec.operation(
                0, 1, VersionVector.zero(4), "k", SimulatedGroup.COUNTER, Operation.of("increment", Value.of(1)));
        SharedOperation sealed = new SharedOperation(
                0,
                1,
                bare.dependencies(),
                "k",
                SimulatedGroup.COUNTER,
                bare.operation(),
                bare.body(),
                keys.get(1).vector(bare.body()));
        EpochLog log = new EpochLog(VersionVector.zero(4), 10);
        log.offer(sealed);
        Hash set = same ? log.digest() : Hash.ZERO;
        ObftReplica replica = new ObftReplica(ObftSettings.usual(0, 1, 1000), keys.get(0));
        replica.step(new Event.ReplicaFrame(1, ObftCodec.encode(new ObftMessage.Operations(List.of(sealed)))));
        byte[] clocks = ObftCodec.encode(new ObftMessage.Clocks(0, false, counts, set));
        return replica.step(new Event.ReplicaFrame(2, keys.get(2).seal(0, clocks)));
    }

    @Test
    void anotherSetUnderTheSameClocksIsTimeToSynchronise() {
        Effect stops = new Effect.Entered(Effect.Phase.STOPPED);
        assertThat(afterClocks(VersionVector.of(0, 1, 0, 0), false)).contains(stops);
        assertThat(afterClocks(VersionVector.of(0, 1, 0, 0), true)).isEmpty();
        assertThat(afterClocks(VersionVector.of(0, 0, 0, 0), false)).isEmpty();
    }

    @Test
    void withTenReplicasTheyAgreeToo() {
        SimulatedGroup group = new SimulatedGroup(7, 3, 300, -1, Optional.empty(), List.of());
        group.run(2, 60);
        check(7, group);
    }

    @Test
    void linksThatLoseDelayButLoseNoAnsweredUpdate() {
        boolean mended = false;
        for (long seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<SimulatedGroup.Cut> cuts = new ArrayList<>();
            for (int each = 0; each < 12; each++) {
                long begin = random.nextInt(6_000);
                cuts.add(new SimulatedGroup.Cut(
                        random.nextInt(4), random.nextInt(4), begin, begin + random.nextInt(4_000)));
            }
            SimulatedGroup group = new SimulatedGroup(seed, 1, 50, -1, Optional.empty(), cuts);
            group.run(3, 60);
            check(seed, group);
            mended |= group.ended.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(over -> over.undone() > 0 || over.fetched() > 0);
        }
        assertThat(mended).as("some replica lacked something").isTrue();
    }

    @Test
    void aReplicaThatWasCutOffForEpochsCatchesUp() {
        for (long seed = 0; seed < SEEDS; seed++) {
            List<SimulatedGroup.Cut> cuts = new ArrayList<>();
            for (int other = 0; other < 3; other++) {
                cuts.add(new SimulatedGroup.Cut(3, other, 200, 20_000));
                cuts.add(new SimulatedGroup.Cut(other, 3, 200, 20_000));
            }
            SimulatedGroup group = new SimulatedGroup(seed, 1, 30, -1, Optional.empty(), cuts);
            group.run(3, 60);
            check(seed, group);
            assertThat(group.ended.get(3).stream()
                            .mapToInt(Effect.Synchronised::fetched)
                            .sum())
                    .as("seed " + seed)
                    .isPositive();
        }
    }

    @Test
    void aSilentReplicaDelaysSynchronisationOnly() {
        liar(group -> (to, frame) -> List.of());
    }

    @Test
    void differentOperationsUnderOneNumberAreSettled() {
        List<SimulatedGroup> groups = liar(Liars::equivocating);
        assertThat(groups.stream()
                        .flatMap(group -> group.correct().stream().flatMap(at -> group.ended.get(at).stream()))
                        .filter(over -> over.undone() > 0))
                .as("replicas that undid something")
                .isNotEmpty();
    }

    @Test
    void whatIsFetchedIsChecked() {
        List<SimulatedGroup> groups = liar(Liars::misleading);
        assertThat(groups.stream()
                        .flatMap(group -> group.correct().stream().flatMap(at -> group.ended.get(at).stream()))
                        .filter(over -> over.fetched() > 0))
                .as("replicas that fetched something")
                .isNotEmpty();
    }

    @Test
    void codesThatOnlyOneReplicaCanCheckAreSettled() {
        liar(Liars::partlyAuthenticated);
    }

    @Test
    void wrongLogsAndVotesChangeNothing() {
        liar(Liars::misreporting);
    }

    @Test
    void aLeaderThatProposesTwoThingsIsOutvoted() {
        List<SimulatedGroup> groups = liar(Liars::contradictingLeader);
        assertThat(groups.stream()
                        .flatMap(group -> group.correct().stream().flatMap(at -> group.ended.get(at).stream()))
                        .filter(over -> over.round() > 0))
                .as("synchronisations that another leader ended")
                .isNotEmpty();
    }

    @Test
    void garbageIsCountedAndDropped() {
        List<SimulatedGroup> groups = liar(Liars::garbling);
        assertThat(groups)
                .allSatisfy(group -> assertThat(
                                group.replicas.get(group.correct().get(0)).rejected())
                        .isPositive());
    }

    private static List<SimulatedGroup> liar(SimulatedGroup.LiarMaker maker) {
        List<SimulatedGroup> groups = new ArrayList<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            SimulatedGroup group = new SimulatedGroup(seed, 1, 60, (int) (seed % 4), Optional.of(maker), List.of());
            group.run(3, 40);
            check(seed, group);
            groups.add(group);
        }
        return groups;
    }

    /** All correct replicas hold the same, and exactly what correct ones answered. */
    private static void check(long seed, SimulatedGroup group) {
        assertThat(group.correct().stream()
                        .map(replica -> group.ended.get(replica).stream()
                                .map(Effect.Synchronised::operations)
                                .toList())
                        .distinct())
                .as("seed %s: sizes of the agreed sets", seed)
                .hasSize(1);
        for (int replica : group.correct()) {
            ObftReplica one = group.replicas.get(replica);
            group.counters.forEach((key, sum) -> {
                if (!key.startsWith("liar")) {
                    assertThat(one.value(key, SimulatedGroup.COUNTER))
                            .as("seed %s replica %s %s", seed, replica, key)
                            .contains(Value.of(sum));
                }
            });
            group.sets.forEach((key, elements) -> {
                if (!key.startsWith("liar")) {
                    assertThat(one.value(key, SimulatedGroup.SET))
                            .as("seed %s replica %s %s", seed, replica, key)
                            .contains(Value.sequence(List.copyOf(new TreeSet<>(elements))));
                }
            });
            ObftReplica first = group.replicas.get(group.correct().get(0));
            assertThat(one.value(SimulatedGroup.MIXED, SimulatedGroup.SET))
                    .as("seed %s replica %s", seed, replica)
                    .isEqualTo(first.value(SimulatedGroup.MIXED, SimulatedGroup.SET));
            for (int key = 0; key < 3; key++) {
                assertThat(one.value("liar-" + key, SimulatedGroup.COUNTER))
                        .as("seed %s replica %s", seed, replica)
                        .isEqualTo(first.value("liar-" + key, SimulatedGroup.COUNTER));
                assertThat(one.value("liar-" + key, SimulatedGroup.SET))
                        .as("seed %s replica %s", seed, replica)
                        .isEqualTo(first.value("liar-" + key, SimulatedGroup.SET));
            }
        }
    }
}

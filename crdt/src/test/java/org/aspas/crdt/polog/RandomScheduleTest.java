package org.aspas.crdt.polog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.polog.Replicas.Entry;
import org.aspas.crdt.polog.Replicas.Replica;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.type.Specifications;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/**
 * Checks every data type and the versioned object against the executable specifications on random schedules.
 * Run one schedule again with {@code -Daspas.seed=N -Daspas.runs=1}.
 */
class RandomScheduleTest {

    private static final long FIRST_SEED = Long.getLong("aspas.seed", 1);
    private static final int RUNS = Integer.getInteger("aspas.runs", 2000);
    private static final int STEPS = 60;

    @Test
    void replicasAgreeWithTheSpecificationOfWhatTheyDelivered() {
        forEachSeed(seed -> {
            Replicas replicas = new Replicas(seed);
            for (int step = 0; step < STEPS; step++) {
                Replica at = randomStep(replicas);
                checkLive(at);
                replicas.members.forEach(other -> checkEqualIfSameVersion(at, other));
            }
            drain(replicas);
            Replica first = replicas.members.get(0);
            for (Replica each : replicas.members) {
                checkLive(each);
                assertThat(each.version).isEqualTo(first.version);
                checkEqualIfSameVersion(first, each);
            }
        });
    }

    @Test
    void stateAtAnyClosedVersionIsThatOfItsOperationsWhereverTheBaseIs() {
        forEachSeed(seed -> {
            Replicas replicas = new Replicas(seed);
            for (int step = 0; step < STEPS; step++) {
                Replica at = randomStep(replicas);
                for (DataType type : DataTypes.all()) {
                    VersionedObject object = at.object(type);
                    VersionVector version = replicas.closedVersion(object.baseVersion(), at.version);
                    checkState(replicas, type, object.stateAt(version), version);
                    if (replicas.random.nextInt(4) == 0) {
                        object.advanceBase(version);
                        checkState(replicas, type, object.base().copy(), version);
                        checkLive(at);
                    }
                }
            }
        });
    }

    /** Replicas follow one chain of certified versions, each at its own pace, and drop stable timestamps. */
    @Test
    void stabilizingAlongAChainOfVersionsKeepsValuesAndAgreement() {
        forEachSeed(seed -> {
            Replicas replicas = new Replicas(seed);
            Chain chain = new Chain(replicas);
            for (int step = 0; step < STEPS; step++) {
                Replica at = randomStep(replicas);
                if (replicas.random.nextInt(5) == 0) {
                    chain.extend(at);
                }
                chain.follow(replicas.any());
                checkLive(at);
            }
            drain(replicas);
            replicas.members.forEach(each -> {
                while (each.certified < chain.versions.size()) {
                    chain.follow(each);
                }
            });
            for (Replica each : replicas.members) {
                checkLive(each);
                checkEqualIfSameVersion(replicas.members.get(0), each);
            }
        });
    }

    @Test
    void causalStabilityIsThatOfDefinition51() {
        forEachSeed(seed -> {
            Replicas replicas = new Replicas(seed);
            List<VersionVector> known = new ArrayList<>();
            replicas.members.forEach(each -> known.add(VersionVector.zero(each.version.size())));
            for (int step = 0; step < STEPS; step++) {
                Replica at = replicas.any();
                int before = at.delivered.size();
                if (replicas.random.nextInt(3) == 0 || !replicas.deliverSome(at)) {
                    replicas.issue(at);
                }
                for (Entry later : at.delivered.subList(before, at.delivered.size())) {
                    assertThat(later.tagged().dependencies().dominates(known.get(at.id)))
                            .isTrue();
                }
                List<VersionVector> last = replicas.lastTimestamps(at.version);
                VersionVector stable = CausalStability.stable(last);
                for (Entry each : at.delivered) {
                    assertThat(stable.covers(each.tagged().dot()))
                            .isEqualTo(isStableByDefinition(each.tagged(), at, last));
                }
                known.set(at.id, stable);
            }
        });
    }

    /**
     * Every operation still to come is after this one: each member's earliest possible next operation, which
     * is issued with nothing delivered since its last one, has observed it; equivalently, something already
     * delivered from each member is this operation or has observed it.
     */
    private static boolean isStableByDefinition(Tagged operation, Replica at, List<VersionVector> last) {
        boolean byNext = true;
        boolean byDelivered = true;
        for (int member = 0; member < last.size(); member++) {
            int from = member;
            byNext &= last.get(member).covers(operation.dot());
            byDelivered &= at.delivered.stream()
                    .map(Entry::tagged)
                    .filter(each -> each.dot().origin() == from)
                    .anyMatch(each -> each.dot().equals(operation.dot()) || each.observed(operation));
        }
        assertThat(byNext).isEqualTo(byDelivered);
        return byDelivered;
    }

    /** The versions certified so far and the state that the first follower found at each. */
    private static final class Chain {
        final Replicas replicas;
        final List<VersionVector> versions = new ArrayList<>();
        final List<Value> states = new ArrayList<>();

        Chain(Replicas replicas) {
            this.replicas = replicas;
        }

        void extend(Replica at) {
            VersionVector from =
                    versions.isEmpty() ? VersionVector.zero(at.version.size()) : versions.get(versions.size() - 1);
            if (at.version.dominates(from)) {
                versions.add(replicas.closedVersion(from, at.version));
            }
        }

        void follow(Replica at) {
            if (at.certified >= versions.size() || !at.version.dominates(versions.get(at.certified))) {
                return;
            }
            VersionVector version = versions.get(at.certified);
            VersionVector stable = CausalStability.stable(replicas.lastTimestamps(version));
            for (DataType type : DataTypes.all()) {
                VersionedObject object = at.object(type);
                Value before = object.stateAt(version).value();
                object.advanceBase(version, stable);
                assertThat(object.base().value()).isEqualTo(before);
                checkRoundTrip(type, object.base().copy());
                assertThat(object.stateAt(at.version).state())
                        .isEqualTo(object.live().state());
            }
            Value found = Value.sequence(at.objects.values().stream()
                    .map(each -> each.base().state())
                    .toList());
            if (states.size() == at.certified) {
                states.add(found);
            }
            assertThat(found).isEqualTo(states.get(at.certified));
            at.certified++;
        }
    }

    private static Replica randomStep(Replicas replicas) {
        Replica at = replicas.any();
        if (replicas.random.nextInt(3) == 0 || !replicas.deliverSome(at)) {
            replicas.issue(at);
        }
        return at;
    }

    private static void drain(Replicas replicas) {
        for (Replica each : replicas.members) {
            while (replicas.deliverSome(each)) {
                checkLive(each);
            }
        }
    }

    private static void checkLive(Replica at) {
        for (DataType type : DataTypes.all()) {
            assertThat(at.object(type).live().value()).isEqualTo(Specifications.valueOf(type, at.deliveredOf(type)));
        }
    }

    private static void checkEqualIfSameVersion(Replica one, Replica other) {
        if (one != other && one.version.equals(other.version)) {
            for (DataType type : DataTypes.all()) {
                assertThat(one.object(type).live().state())
                        .isEqualTo(other.object(type).live().state());
            }
        }
    }

    private static void checkState(Replicas replicas, DataType type, Crdt state, VersionVector version) {
        List<Tagged> operations = Replicas.operationsOf(type, replicas.issued, version);
        assertThat(state.value()).isEqualTo(Specifications.valueOf(type, operations));
        assertThat(state.state()).isEqualTo(replicas.replay(type, version).state());
        checkRoundTrip(type, state);
    }

    private static void checkRoundTrip(DataType type, Crdt state) {
        Crdt decoded = type.decode(state.state()).orElseThrow();
        assertThat(decoded.state()).isEqualTo(state.state());
        assertThat(decoded.value()).isEqualTo(state.value());
    }

    private static void forEachSeed(LongConsumer run) {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
            try {
                run.accept(seed);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError(
                        "fails with -Daspas.seed=" + seed + " -Daspas.runs=1: " + failure.getMessage(), failure);
            }
        }
    }
}

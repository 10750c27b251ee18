package org.aspas.crdt.polog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongConsumer;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.polog.Replicas.Replica;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.type.Specifications;
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

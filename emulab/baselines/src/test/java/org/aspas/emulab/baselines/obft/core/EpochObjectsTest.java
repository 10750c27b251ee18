package org.aspas.emulab.baselines.obft.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** What undoing and executing again leaves. */
class EpochObjectsTest {
    private static final VersionVector NOTHING = VersionVector.zero(4);
    private static final Value ELEMENT = Value.of("e");
    private static final Value EMPTY = Value.sequence(List.of());

    private final EpochObjects objects = new EpochObjects(4);

    private static SharedOperation operation(int origin, VersionVector after, String name) {
        return ObftCodec.operation(0, origin, after, "s", "aw-set", Operation.of(name, ELEMENT));
    }

    private Value value() {
        return objects.value("s", "aw-set").orElseThrow();
    }

    @Test
    void anOperationWaitsForWhatItDependsOn() {
        objects.take(operation(0, VersionVector.of(0, 1, 0, 0), "remove"));
        assertThat(objects.anyWaiting()).isTrue();
        objects.take(operation(1, NOTHING, "add"));
        assertThat(objects.anyWaiting()).isFalse();
        assertThat(value()).isEqualTo(EMPTY);
    }

    @Test
    void replayUndoesWhatTheSetDoesNotHave() {
        objects.take(operation(1, NOTHING, "add"));
        objects.keep();
        objects.take(operation(0, VersionVector.of(0, 1, 0, 0), "remove"));
        assertThat(value()).isEqualTo(EMPTY);
        VersionVector base = VersionVector.of(0, 1, 0, 0);
        objects.replay(base, base, List.of(List.of(), List.of(), List.of(), List.of()));
        assertThat(value()).isEqualTo(Value.sequence(List.of(ELEMENT)));
        assertThat(objects.delivered()).isEqualTo(base);
    }

    /** Origin 1 adds after an operation of origin 2 that is undone; origin 0 removes what it saw origin 1 add. */
    @Test
    void withoutOneItDependsOnAnOperationKeepsItsOrder() {
        SharedOperation adds = operation(1, VersionVector.of(0, 0, 1, 0), "add");
        SharedOperation removes = operation(0, VersionVector.of(0, 1, 1, 0), "remove");
        objects.replay(
                NOTHING, VersionVector.of(1, 1, 0, 0), List.of(List.of(removes), List.of(adds), List.of(), List.of()));
        assertThat(value()).isEqualTo(EMPTY);
        assertThat(objects.anyWaiting()).isFalse();
    }

    /** Only faulty origins can make operations wait for each other; they take effect all the same, at every replica. */
    @Test
    void operationsThatWaitForEachOtherComeLast() {
        SharedOperation one = operation(2, VersionVector.of(0, 0, 0, 1), "add");
        SharedOperation other = operation(3, VersionVector.of(0, 0, 1, 0), "remove");
        objects.replay(
                NOTHING, VersionVector.of(0, 0, 1, 1), List.of(List.of(), List.of(), List.of(one), List.of(other)));
        assertThat(objects.delivered()).isEqualTo(VersionVector.of(0, 0, 1, 1));
        assertThat(value()).isEqualTo(EMPTY);
    }
}

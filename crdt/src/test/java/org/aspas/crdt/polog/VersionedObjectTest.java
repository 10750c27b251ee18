package org.aspas.crdt.polog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

class VersionedObjectTest {

    private static final Value X = Value.of("x");
    private static final Value NOTHING = Value.sequence(List.of());
    private static final Value ONLY_X = Value.sequence(List.of(X));

    private final Tagged add = tagged(0, 1, VersionVector.of(0, 0), Operation.of("add", X));
    private final Tagged remove = tagged(1, 1, VersionVector.of(1, 0), Operation.of("remove", X));
    private final VersionedObject object = new VersionedObject(DataTypes.AW_SET.empty(), VersionVector.zero(2));

    @Test
    void anOperationErasedByALaterOneIsStillInTheStateAtItsVersion() {
        object.deliver(add);
        object.deliver(remove);

        assertThat(object.live().value()).isEqualTo(NOTHING);
        assertThat(object.stateAt(VersionVector.of(1, 0)).value()).isEqualTo(ONLY_X);
    }

    @Test
    void advancingTheBaseKeepsTheRestAsSuffix() {
        object.deliver(add);
        object.deliver(remove);
        object.advanceBase(VersionVector.of(1, 0));

        assertThat(object.base().value()).isEqualTo(ONLY_X);
        assertThat(object.suffix()).containsExactly(remove);
        assertThat(object.live().value()).isEqualTo(NOTHING);
    }

    @Test
    void changingAStateThatWasReadChangesNothingElse() {
        object.deliver(add);
        Crdt copy = object.stateAt(VersionVector.of(1, 0));
        copy.apply(remove);

        assertThat(object.stateAt(VersionVector.of(1, 0)).value()).isEqualTo(ONLY_X);
        assertThat(object.live().value()).isEqualTo(ONLY_X);
    }

    @Test
    void deliveryTwiceIsABug() {
        object.deliver(add);
        assertThatThrownBy(() -> object.deliver(add))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("0:1");
        object.advanceBase(VersionVector.of(1, 0));
        assertThatThrownBy(() -> object.deliver(add)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void versionsThatAreNotClosedOrBehindTheBaseAreRefused() {
        object.deliver(add);
        object.deliver(remove);
        assertThatThrownBy(() -> object.stateAt(VersionVector.of(0, 1))).isInstanceOf(IllegalArgumentException.class);
        object.advanceBase(VersionVector.of(1, 0));
        assertThatThrownBy(() -> object.advanceBase(VersionVector.of(0, 0)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(object.baseVersion()).isEqualTo(VersionVector.of(1, 0));
    }

    @Test
    void anOperationHasObservedAnEffectUnderAnyOfItsDots() {
        Tagged removeAtOther = tagged(1, 2, VersionVector.of(0, 1), Operation.of("remove", X));
        Crdt set = DataTypes.AW_SET.empty();
        set.apply(add);
        set.alias(add.operation(), add.dot(), new Dot(1, 1));
        assertThat(DataTypes.AW_SET.decode(set.state()).orElseThrow().state()).isEqualTo(set.state());
        set.apply(removeAtOther);
        assertThat(set.value()).isEqualTo(NOTHING);
    }

    @Test
    void badTagsAreRefused() {
        Operation clear = Operation.of("clear");
        assertThatThrownBy(() -> tagged(0, 1, VersionVector.of(1, 0), clear))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> tagged(2, 1, VersionVector.of(0, 0), clear))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Tagged tagged(int origin, long sequence, VersionVector dependencies, Operation operation) {
        return new Tagged(new Dot(origin, sequence), dependencies, operation);
    }
}

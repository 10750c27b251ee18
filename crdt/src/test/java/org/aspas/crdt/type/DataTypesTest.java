package org.aspas.crdt.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

class DataTypesTest {

    private static final Value X = Value.of("x");
    private static final Value EMPTY = Value.sequence(List.of());

    @Test
    void typesAreFoundByName() {
        assertThat(DataTypes.byName("pn-counter")).containsSame(DataTypes.PN_COUNTER);
        assertThat(DataTypes.byName("aw-set")).containsSame(DataTypes.AW_SET);
        assertThat(DataTypes.byName("AW-SET")).isEmpty();
        assertThat(DataTypes.byName("")).isEmpty();
    }

    @Test
    void emptyObjectsHaveEmptyValues() {
        assertThat(DataTypes.PN_COUNTER.empty().value()).isEqualTo(Value.of(0));
        assertThat(DataTypes.AW_SET.empty().value()).isEqualTo(EMPTY);
        for (DataType type : DataTypes.all()) {
            assertThat(type.empty().type()).isSameAs(type);
        }
    }

    @Test
    void counterOperationsAreChecked() {
        DataType type = DataTypes.PN_COUNTER;
        assertThat(type.check(Operation.of("increment", Value.of(1)))).isEmpty();
        assertThat(type.check(Operation.of("decrement", Value.of(Long.MAX_VALUE))))
                .isEmpty();
        List.of(
                        Operation.of("increment", Value.of(0)),
                        Operation.of("increment", Value.of(-1)),
                        Operation.of("increment", X),
                        Operation.of("increment"),
                        Operation.of("increment", Value.of(1), Value.of(1)),
                        Operation.of("add", Value.of(1)),
                        Operation.of("", Value.of(1)))
                .forEach(bad -> assertMalformed(type, bad));
    }

    @Test
    void setOperationsAreChecked() {
        DataType type = DataTypes.AW_SET;
        Value largest = Value.of("é".repeat(AwSetType.MAX_ELEMENT_BYTES / 2));
        assertThat(type.check(Operation.of("add", largest))).isEmpty();
        assertThat(type.check(Operation.of("add", Value.of(new byte[AwSetType.MAX_ELEMENT_BYTES]))))
                .isEmpty();
        assertThat(type.check(Operation.of("remove", Value.of(-5)))).isEmpty();
        assertThat(type.check(Operation.of("clear"))).isEmpty();
        List.of(
                        Operation.of("add"),
                        Operation.of("add", X, X),
                        Operation.of("remove"),
                        Operation.of("clear", X),
                        Operation.of("increment", Value.of(1)),
                        Operation.of("add", EMPTY),
                        Operation.of("remove", EMPTY),
                        Operation.of("add", Value.of("é".repeat(AwSetType.MAX_ELEMENT_BYTES / 2) + "a")),
                        Operation.of("add", Value.of("a".repeat(AwSetType.MAX_ELEMENT_BYTES + 1))),
                        Operation.of("add", Value.of(new byte[AwSetType.MAX_ELEMENT_BYTES + 1])))
                .forEach(bad -> assertMalformed(type, bad));
    }

    @Test
    void theCounterWrapsAround() {
        Crdt counter = DataTypes.PN_COUNTER.empty();
        counter.apply(tagged(0, Operation.of("increment", Value.of(Long.MAX_VALUE))));
        counter.apply(tagged(1, Operation.of("increment", Value.of(1))));
        assertThat(counter.value()).isEqualTo(Value.of(Long.MIN_VALUE));
        counter.apply(tagged(2, Operation.of("decrement", Value.of(1))));
        assertThat(counter.value()).isEqualTo(Value.of(Long.MAX_VALUE));
    }

    @Test
    void anAdditionWinsOverAConcurrentRemovalAndClear() {
        Crdt set = DataTypes.AW_SET.empty();
        set.apply(tagged(0, Operation.of("add", X)));
        set.apply(tagged(1, Operation.of("remove", X)));
        set.apply(tagged(2, Operation.of("clear")));
        assertThat(set.value()).isEqualTo(Value.sequence(List.of(X)));
    }

    @Test
    void concurrentAdditionsKeepOneTagEachAndALaterOneReplacesThem() {
        Crdt set = DataTypes.AW_SET.empty();
        set.apply(tagged(1, Operation.of("add", X)));
        set.apply(tagged(0, Operation.of("add", X)));
        assertThat(set.state()).isEqualTo(pairs(pair(X, dots(0, 1), dots(1, 1))));
        set.apply(new Tagged(new Dot(2, 1), VersionVector.of(1, 1, 0), Operation.of("add", X)));
        assertThat(set.state()).isEqualTo(pairs(pair(X, dots(2, 1))));
    }

    @Test
    void onlyCanonicalStatesAreDecoded() {
        DataType set = DataTypes.AW_SET;
        Value y = Value.of("y");
        assertThat(set.decode(EMPTY)).isPresent();
        assertThat(set.decode(pairs(pair(X, dots(0, 1, 1, 1)), pair(y, dots(2, 1)))))
                .isPresent();
        List.of(
                        Value.of(0),
                        Value.of("text"),
                        Value.of(new byte[] {1}),
                        Value.sequence(List.of(X)),
                        pairs(EMPTY),
                        pairs(pair(X)),
                        pairs(pair(EMPTY, dots(0, 1))),
                        pairs(Value.sequence(List.of(X, X))),
                        pairs(pair(X, X)),
                        pairs(pair(X, dots())),
                        pairs(pair(X, dots(0))),
                        pairs(pair(X, dots(-1, 1))),
                        pairs(pair(X, dots(1L << 40, 1))),
                        pairs(pair(X, dots(0, 0))),
                        pairs(pair(X, dots(1, 1, 0, 1))),
                        pairs(pair(X, dots(0, 1, 0, 1))),
                        pairs(pair(X, dots(1, 1), dots(0, 1))),
                        pairs(pair(X, dots(0, 1), dots(0, 1))),
                        pairs(pair(X, dots(0, 1)), pair(X, dots(1, 1))),
                        pairs(pair(y, dots(0, 1)), pair(X, dots(1, 1))),
                        pairs(pair(X, Value.sequence(List.of(X, X)))))
                .forEach(bad -> assertThat(set.decode(bad)).as("%s", bad).isEmpty());
        assertThat(DataTypes.PN_COUNTER.decode(EMPTY)).isEmpty();
        assertThat(DataTypes.PN_COUNTER.decode(X)).isEmpty();
        assertThat(DataTypes.PN_COUNTER.decode(Value.of(-3))).isPresent();
    }

    @Test
    void aDotOfAnUnknownOriginInADecodedStateDoesNoHarm() {
        Crdt set = DataTypes.AW_SET.decode(pairs(pair(X, dots(1000, 1)))).orElseThrow();
        set.apply(tagged(0, Operation.of("remove", X)));
        assertThat(set.value()).isEqualTo(Value.sequence(List.of(X)));
    }

    private static void assertMalformed(DataType type, Operation bad) {
        assertThat(type.check(bad)).as("%s", bad.name()).isPresent();
        Crdt state = type.empty();
        state.apply(tagged(0, bad));
        assertThat(state.state()).isEqualTo(type.empty().state());
    }

    private static Tagged tagged(int origin, Operation operation) {
        return new Tagged(new Dot(origin, 1), VersionVector.zero(3), operation);
    }

    private static Value pairs(Value... pairs) {
        return Value.sequence(List.of(pairs));
    }

    private static Value pair(Value element, Value... additions) {
        return Value.sequence(List.of(element, Value.sequence(List.of(additions))));
    }

    private static Value dots(long... numbers) {
        return Value.sequence(Arrays.stream(numbers).mapToObj(Value::of).toList());
    }
}

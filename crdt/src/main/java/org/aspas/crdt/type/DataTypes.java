package org.aspas.crdt.type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.aspas.crdt.value.Value;

/** The registry of all data types. Immutable and thread-safe. */
public final class DataTypes {

    /** The counter that can be incremented and decremented. */
    public static final DataType PN_COUNTER = new PnCounterType();

    /** The set in which an addition wins over a concurrent removal. */
    public static final DataType AW_SET = new AwSetType();

    private static final List<DataType> ALL = List.of(AW_SET, PN_COUNTER);

    private static final Map<String, Optional<DataType>> BY_NAME =
            ALL.stream().collect(Collectors.toUnmodifiableMap(DataType::name, Optional::of));

    private DataTypes() {}

    /** Returns all types in the order of their names. */
    public static List<DataType> all() {
        return ALL;
    }

    /**
     * Returns whether a value can be an element of a set: an integer, or a text (in UTF-8) or byte string of at most 4,096 bytes
     * (docs/formats.md §7).
     */
    public static boolean isElement(Value value) {
        return AwSetType.isElement(value);
    }

    /** Returns the everyday noun for a type's name: {@code counter} for {@code pn-counter}, {@code set} for {@code aw-set}. */
    public static String noun(String name) {
        return name.substring(name.lastIndexOf('-') + 1);
    }

    /** Returns the type with a name, such as {@code aw-set}; empty if there is none. */
    public static Optional<DataType> byName(String name) {
        return BY_NAME.getOrDefault(name, Optional.empty());
    }
}

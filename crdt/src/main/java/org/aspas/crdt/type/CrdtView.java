package org.aspas.crdt.type;

import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * The state of one object, for reading.
 *
 * <p>Implementations are meant for one thread; the returned values are immutable.
 */
public interface CrdtView {

    DataType type();

    /** Returns what a read of the object returns. */
    Value value();

    /**
     * Returns the full state in canonical form: states that got the same operations, and were stabilised at
     * the same vectors, give equal values, whatever the order of delivery.
     */
    Value state();

    /**
     * Returns the size of the state in bytes, at no cost: about what its encoding takes, and at least what
     * that of the value takes but for a few bytes. Equal states have equal sizes.
     */
    long bytes();

    /**
     * Returns the size of the part of the state that one well-formed operation makes larger: of the element that it names, or
     * of the whole state. It is counted as {@link #bytes()} is.
     */
    default long bytes(Operation operation) {
        return bytes();
    }

    /** Returns the elements of the state; empty for a type that has none. */
    default Optional<ElementsView> elements() {
        return Optional.empty();
    }

    /** Returns an independent copy that can be changed, at no cost. */
    Crdt copy();
}

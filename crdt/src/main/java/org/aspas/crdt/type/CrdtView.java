package org.aspas.crdt.type;

import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/**
 * A read-only view of the state of one object.
 *
 * <p>Implementations are for one thread; the returned values are immutable.
 */
public interface CrdtView {

    DataType type();

    /** Returns the value of the object, as reads return it. */
    Value value();

    /**
     * Returns the full state in canonical form. States with the same operations, stabilised at the same
     * vectors, give equal values, whatever the order of delivery was.
     */
    Value state();

    /**
     * Returns the approximate size of the state's encoding in bytes, in constant time. Except for a few bytes,
     * the encoding of the value takes no more. Equal states have equal sizes.
     */
    long bytes();

    /**
     * Returns the size of the part of the state that a well-formed operation may enlarge, measured like {@link #bytes()}: of the
     * element that it names, or else of the whole state.
     */
    default long bytes(Operation operation) {
        return bytes();
    }

    /** Returns the elements of the state; empty for a type that has none. */
    default Optional<ElementsView> elements() {
        return Optional.empty();
    }

    /** Returns an independent, mutable copy in constant time. */
    Crdt copy();
}

package org.aspas.crdt.type;

import org.aspas.crdt.value.Value;

/**
 * The state of one object, for reading.
 *
 * <p>Implementations are meant for one thread; the returned values are immutable.
 */
public interface CrdtView {

    /** Returns the data type of the object. */
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

    /** Returns an independent copy that can be changed. */
    Crdt copy();
}

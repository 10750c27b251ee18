package org.aspas.crdt.type;

import java.util.List;
import org.aspas.crdt.value.Value;

/**
 * The elements of one object's state, for reading one at a time. The value of the object is the sequence of its elements,
 * ascending.
 *
 * <p>What it shows changes with the state. Implementations are meant for one thread; the returned values are immutable.
 */
public interface ElementsView {

    long size();

    /**
     * Returns the state of one element in canonical form, which decides with the element alone what later operations do to it;
     * the empty sequence if it is not there.
     */
    Value state(Value element);

    /** Returns the size of one element with its state, counted as {@link CrdtView#bytes()} is; 0 if it is not there. */
    long bytes(Value element);

    default boolean has(Value element) {
        return !state(element).equals(Value.sequence(List.of()));
    }
}

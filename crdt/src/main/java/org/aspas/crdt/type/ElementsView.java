package org.aspas.crdt.type;

import java.util.List;
import org.aspas.crdt.value.Value;

/**
 * A read-only view of the elements of one object's state, one at a time. The value of the object is the ascending sequence of its
 * elements.
 *
 * <p>The view follows changes of the state. Implementations are for one thread; the returned values are immutable.
 */
public interface ElementsView {

    /** Returns the number of elements. */
    long size();

    /**
     * Returns the state of one element in canonical form; the empty sequence if the element is absent. The element and this state alone
     * determine the effect of later operations on the element.
     */
    Value state(Value element);

    /** Returns the size of one element with its state, measured like {@link CrdtView#bytes()}; 0 if the element is absent. */
    long bytes(Value element);

    /** Returns whether an element is present. */
    default boolean has(Value element) {
        return !state(element).equals(Value.sequence(List.of()));
    }
}

package org.aspas.crdt.type;

import java.util.List;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** The changeable state of one object. Mutable; for one thread. */
public interface Crdt extends CrdtView {

    /**
     * Applies the effect of an operation.
     *
     * <p>Each operation must be applied once, after all operations on the object that it has observed. An
     * operation that {@link DataType#check} finds malformed has no effect: once it stands in the log of a
     * faulty origin it cannot be taken out again, so all replicas must treat it alike.
     *
     * @return the elements of which the state may have changed; none for a type that has no elements
     */
    List<Value> apply(Tagged operation);

    /**
     * Adds another dot to an effect that was applied, because the client entered the operation a second time elsewhere:
     * whoever has observed either has observed the effect. Nothing happens when nothing is stored under the known dot. A
     * type that stores no dots has nothing to do.
     *
     * @param known a dot under which its effect was applied
     * @return the elements of which the state may have changed
     */
    default List<Value> alias(Operation operation, Dot known, Dot another) {
        return List.of(); // A state without dots is the same under any name of its effects.
    }
}

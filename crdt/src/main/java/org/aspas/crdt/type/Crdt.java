package org.aspas.crdt.type;

import java.util.List;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.polog.Tagged;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** The mutable state of one object. For one thread. */
public interface Crdt extends CrdtView {

    /**
     * Applies the effect of an operation.
     *
     * <p>Each operation must be applied once, after all operations on the object that it has observed. An
     * operation that {@link DataType#check} finds malformed has no effect. It cannot be refused here, because
     * it may already stand in the log of a faulty origin, and all replicas must treat it alike.
     *
     * @return the elements whose state may have changed; none for a type that has no elements
     */
    List<Value> apply(Tagged operation);

    /**
     * Adds another dot to an effect that was already applied, because a second server has entered the client's operation. An operation
     * that has observed either dot has then observed the effect. Nothing happens when nothing is stored under the known dot; the
     * default, for types that store no dots, does nothing.
     *
     * @param known a dot under which the effect was applied
     * @param another the dot to add
     * @return the elements whose state may have changed
     */
    default List<Value> alias(Operation operation, Dot known, Dot another) {
        return List.of(); // A state without dots does not depend on the dots of its effects.
    }
}

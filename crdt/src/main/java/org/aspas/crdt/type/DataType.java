package org.aspas.crdt.type;

import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** A kind of replicated object. Implementations are stateless and safe for use by several threads. */
public interface DataType {

    /** Returns the name under which objects of this type are created, such as {@code aw-set}. */
    String name();

    /** Returns a fresh state to which nothing has been applied. */
    Crdt empty();

    /**
     * Checks an operation against the operations, arguments and bounds of this type. The result depends on
     * nothing else, so all replicas agree on it.
     *
     * @return why the operation is malformed; empty if it is well formed
     */
    Optional<String> check(Operation operation);

    /**
     * Returns whether repeating a well-formed operation can enlarge a state without bound, as measured by {@link
     * CrdtView#bytes}.
     */
    boolean grows(Operation operation);

    /**
     * Restores a state from {@link CrdtView#state}. The method is total: it accepts exactly the values that
     * some state has as its canonical form, and never throws.
     *
     * @return the state; empty if the value is not the canonical form of any state of this type
     */
    Optional<Crdt> decode(Value state);
}

package org.aspas.emulab.sim.model;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** What a data type means, on the set of its counted updates (docs/formats.md §7). */
interface Meaning {
    /** The types, by name ascending. */
    List<Meaning> ALL = List.of(new SetMeaning(), new CounterMeaning());

    static Optional<Meaning> of(String type) {
        return ALL.stream().filter(one -> one.type().equals(type)).findFirst();
    }

    String type();

    /** Whether an operation is one of the type, with arguments of the right kind and size. */
    boolean admits(Operation operation);

    /** What of the updates later ones and the value depend on, when all that is not in the set came before. */
    State state(Collection<CountedUpdate> updates);

    /** The state that some updates made, and new ones after it or beside it. */
    State next(State before, Collection<CountedUpdate> added);

    interface State {
        /** What a read returns. */
        Value value();

        /** The bytes that the leaf of an object under a key is the hash of. */
        byte[] content(String key);

        /** The size of what an operation makes larger, of which a limit stops growth. */
        long size(Operation operation);

        /** The size of the largest that an operation can make larger. */
        long largest();
    }

    /** Whether an operation makes the state larger without a bound. */
    boolean grows(Operation operation);
}

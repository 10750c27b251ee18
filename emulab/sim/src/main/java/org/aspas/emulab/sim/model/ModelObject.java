package org.aspas.emulab.sim.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** One object: the counted updates that have an effect on it, and its state at the newest certificate. For one thread. */
final class ModelObject {
    private static final long FULL = 1 << 20;

    private final String key;
    private final Meaning meaning;
    private final List<CountedUpdate> updates = new ArrayList<>();
    private final List<CountedUpdate> added = new ArrayList<>();
    private final long since;
    private Meaning.State state;

    /**
     * An object.
     *
     * @param since the first certificate that has it
     */
    ModelObject(String key, Meaning meaning, long since) {
        this.key = key;
        this.meaning = meaning;
        this.since = since;
        this.state = meaning.state(List.of());
    }

    String type() {
        return meaning.type();
    }

    long since() {
        return since;
    }

    /** Whether operations may have no effect because of the size. */
    boolean full() {
        return state.largest() >= FULL;
    }

    /** Whether an operation that is certified next has an effect. */
    boolean takes(Operation operation) {
        return !meaning.grows(operation) || state.size(operation) < FULL;
    }

    void add(CountedUpdate update) {
        updates.add(update);
        added.add(update);
    }

    /** Ends a certificate: the state has all that was added, and dots that were added to what was there. */
    void settle() {
        state = meaning.next(state, added);
        added.clear();
    }

    byte[] leaf() {
        return leaf(state);
    }

    /** The leaf, from all updates at once. */
    byte[] leafFromScratch() {
        return leaf(meaning.state(updates));
    }

    /** The updates that had an effect up to a certificate, with the dots that they had there. */
    List<CountedUpdate> updatesAt(long number) {
        return updates.stream()
                .filter(update -> update.certificate() <= number)
                .map(update -> update.at(number))
                .toList();
    }

    Value valueAt(long number) {
        return meaning.state(updatesAt(number)).value();
    }

    byte[] path() {
        return Sha256.named("object-path", key.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] leaf(Meaning.State of) {
        return Sha256.named("object-leaf", of.content(key));
    }
}

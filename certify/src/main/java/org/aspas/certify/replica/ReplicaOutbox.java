package org.aspas.certify.replica;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.notary.RecordItem;

/**
 * Collects the effects of a step. A promise waits until all items that were issued before it are durable: nothing leaves the
 * bftserver that a crash could make untrue. Once the record failed nothing is promised any more.
 */
final class ReplicaOutbox {
    private record Held(long ticket, Effect promise) {}

    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private List<Effect> ready = new ArrayList<>();
    private long issued;
    private long durable;
    private boolean failed;

    /** Does something that tells nothing of the record. */
    void now(Effect effect) {
        ready.add(effect);
    }

    /** Appends an item to the durable record. */
    void persist(RecordItem item) {
        if (!failed) {
            issued++;
            ready.add(new Effect.Persist(issued, item));
        }
    }

    /** Says something that rests on the record, once all of that is durable. */
    void promise(Effect promise) {
        if (failed) {
            return;
        }
        if (durable >= issued) {
            ready.add(promise);
        } else {
            held.addLast(new Held(issued, promise));
        }
    }

    /** Whether a promise waits for the record. */
    boolean waits() {
        return !held.isEmpty();
    }

    void persisted(long ticket) {
        if (ticket > issued) {
            throw new IllegalStateException("ticket " + ticket + " was never issued; the last is " + issued);
        }
        durable = Math.max(durable, ticket);
        while (!failed && !held.isEmpty() && held.getFirst().ticket() <= durable) {
            ready.add(held.removeFirst().promise());
        }
    }

    /** The record failed: what waits for it is never said. */
    void fail() {
        failed = true;
        held.clear();
    }

    boolean failed() {
        return failed;
    }

    List<Effect> take() {
        List<Effect> taken = ready;
        ready = new ArrayList<>();
        return taken;
    }
}

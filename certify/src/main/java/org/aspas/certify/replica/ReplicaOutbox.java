package org.aspas.certify.replica;

import java.util.List;
import org.aspas.certify.step.Outbox;
import org.aspas.certify.step.Ticket;

/**
 * Collects the effects of a step. A promise waits until all items that were issued before it are durable: nothing leaves the
 * bftserver that a crash could make untrue. Once the record failed nothing is promised any more.
 */
final class ReplicaOutbox {
    private final Outbox<Effect> outbox = new Outbox<>(promise -> 0);
    private boolean failed;

    /** Does something that tells nothing of the record. */
    void now(Effect effect) {
        outbox.now(effect);
    }

    void persist(RecordItem item) {
        if (!failed) {
            outbox.now(new Effect.Persist(outbox.issue(), item));
        }
    }

    /** Says something that rests on the record, once all of that is durable. */
    void promise(Effect promise) {
        if (!failed) {
            outbox.afterRecords(promise);
        }
    }

    boolean waits() {
        return outbox.waiting() > 0;
    }

    void persisted(Ticket ticket) {
        outbox.persisted(ticket);
    }

    /** The record failed: what waits for it is never said. */
    void fail() {
        failed = true;
        outbox.drop(promise -> true);
    }

    boolean failed() {
        return failed;
    }

    List<Effect> take() {
        return outbox.take();
    }
}

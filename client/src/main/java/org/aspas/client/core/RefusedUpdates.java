package org.aspas.client.core;

import org.aspas.certify.message.Refusal;
import org.aspas.client.core.ClientEvent.Why;

/**
 * What follows from a refused update. Its number never gets another content: it is given again, the same bytes, until a
 * certificate covers it, to this server or the next. A server enters an update that it refused as one without effect when
 * it is given a second time.
 */
final class RefusedUpdates {
    /** When to give the update again. */
    enum Again {
        AT_ONCE,
        LATER,
        NEVER
    }

    private final Policy policy;
    private final Ticks ticks;
    private final Outbox outbox;

    RefusedUpdates(Policy policy, Ticks ticks, Outbox outbox) {
        this.policy = policy;
        this.ticks = ticks;
        this.outbox = outbox;
    }

    /** Judges a refusal; {@code earlierMissing} says that an earlier update has to be given again first. */
    Again judge(PendingUpdate update, Refusal refusal, boolean earlierMissing) {
        boolean again = update.refusedHere;
        switch (refusal.reason()) {
            case BUSY:
                return Again.LATER;
            case BEHIND:
                return earlierMissing ? Again.AT_ONCE : behind(update, refusal);
            case WRONG_TYPE, BAD_OPERATION:
                fail(update, refusal);
                update.refusedHere = true;
                if (again) {
                    outbox.leave(Why.REFUSED, refusal.detail());
                }
                return again ? Again.LATER : Again.AT_ONCE;
            case NUMBER_REUSED:
                fail(update, refusal);
                outbox.refusedForGood(refusal);
                return policy.switching() ? Again.LATER : Again.NEVER;
            case EXCLUDED:
                fail(update, refusal);
                outbox.refusedForGood(refusal);
                return Again.LATER;
            default:
                fail(update, refusal);
                outbox.leave(Why.REFUSED, refusal.detail());
                return Again.LATER;
        }
    }

    /** The server will hear of the earlier requests from the others; the call fails if that takes too long. */
    private Again behind(PendingUpdate update, Refusal refusal) {
        long now = ticks.now();
        if (update.behindSince < 0) {
            update.behindSince = now;
        } else if (now - update.behindSince >= 2 * policy.graceMillis() && !update.told) {
            fail(update, refusal);
        }
        return Again.LATER;
    }

    private void fail(PendingUpdate update, Refusal refusal) {
        if (!update.failed) {
            update.failed = true;
            outbox.fail(update.ticket, new Failure.Refused(refusal.reason(), refusal.detail()));
        }
    }
}

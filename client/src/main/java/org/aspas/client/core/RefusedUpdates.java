package org.aspas.client.core;

import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.client.core.ClientEvent.Why;

/**
 * What follows from a refused update. Its number never gets another content: it is given again, the same bytes, until a
 * certificate covers it, to this server or the next. A server enters an update that it refused as one without effect when
 * it is given a second time on a connection.
 *
 * <p>A refusal is not signed and proves nothing: whoever refuses may have entered the update all the same. A client that
 * switches therefore leaves, and the application is told only when f+1 servers have refused the update, of which one is
 * correct. Even then the update may take effect: whoever entered it spreads it, and its number closes the way for all later
 * ones, so that it is given again, as itself, until a certificate covers it.
 */
public final class RefusedUpdates {
    /** When to give the update again. */
    enum Again {
        AT_ONCE,
        LATER
    }

    private final Policy policy;
    private final Servers servers;
    private final Step step;

    public RefusedUpdates(Policy policy, Servers servers, Step step) {
        this.policy = policy;
        this.servers = servers;
        this.step = step;
    }

    /** Judges a refusal; {@code earlierMissing} says that an earlier update has to be given again first. */
    Again judge(PendingUpdate update, Refusal refusal, boolean earlierMissing) {
        switch (refusal.reason()) {
            case BUSY:
                return Again.LATER;
            case BEHIND:
                return earlierMissing ? Again.AT_ONCE : behind(update, refusal);
            case NO_SESSION, FALSE_COMPLAINTS, AMNESIAC:
                // The first is a lie, for the session was open before; the second passes; the third is true of one
                // server.
                step.leave(Why.REFUSED, refusal.detail());
                return Again.LATER;
            case DRAINING:
                step.leave(Why.DRAINING, refusal.detail());
                return Again.LATER;
            case WRONG_TYPE, BAD_OPERATION:
                return wrong(update, refusal);
            case NUMBER_REUSED, EXCLUDED, UNKNOWN_CLIENT:
                believe(update, refusal);
                step.refusedForGood(refusal);
                return Again.LATER;
            default:
                believe(update, refusal);
                step.leave(Why.REFUSED, refusal.detail());
                return Again.LATER;
        }
    }

    /**
     * A correct server that says so takes the update the second time, which fills its number. Nobody waits to be told of what an
     * earlier client left, so that one server's word is enough to give it there again; whether it has an effect is read when it is
     * confirmed.
     */
    private Again wrong(PendingUpdate update, Refusal refusal) {
        update.unfit = refusal.reason();
        boolean again = update.refusedHere;
        update.refusedHere = true;
        Request request = update.request();
        Object what = refusal.reason() == Refusal.Reason.WRONG_TYPE ? "" : request.operation();
        boolean known = servers.refuses(request.key(), request.type(), what, refusal.reason());
        boolean believed = believe(update, refusal, known);
        if (again || !(believed || update.call.equals(CallId.NONE))) {
            step.leave(Why.REFUSED, refusal.detail());
            return Again.LATER;
        }
        return Again.AT_ONCE;
    }

    /** The server will hear of the earlier requests from the others; it refuses if that takes too long. */
    private Again behind(PendingUpdate update, Refusal refusal) {
        long now = step.now();
        if (update.behindSince < 0) {
            update.behindSince = now;
        } else if (now - update.behindSince >= 2 * policy.graceMillis() && !update.told) {
            believe(update, refusal);
            step.leave(Why.BEHIND, refusal.detail());
        }
        return Again.LATER;
    }

    /** Tells the application if enough servers have refused the update; whether they have. */
    private boolean believe(PendingUpdate update, Refusal refusal) {
        return believe(update, refusal, false);
    }

    private boolean believe(PendingUpdate update, Refusal refusal, boolean known) {
        boolean enough = servers.hear(update.refusedBy) || known;
        if (enough) {
            update.mayTakeEffect(step, new Failure.Refused(refusal.reason(), refusal.detail()));
        }
        return enough;
    }
}

package org.aspas.client.core;

import java.util.List;
import java.util.function.Supplier;
import org.aspas.certify.step.Outbox;
import org.aspas.certify.step.Ticket;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent.Why;
import org.jspecify.annotations.Nullable;

/**
 * The step that is under way: what time it is, the effects so far, and what has to follow at its end. That is a record to
 * write, a reason to leave the present server, a refusal that may be for good, the end of the client.
 *
 * <p>From {@link #recordChanged} on, what is added waits until the changed record is durable. Only what tells nothing of
 * the record leaves {@link #now}.
 */
public final class Step {
    /** A reason to leave the present server. */
    public record Leave(Why why, String detail) {}

    private final Outbox<Effect> outbox = new Outbox<>(effect -> 0);
    private final boolean persistent;
    private @Nullable Ticket changed;
    private long now;
    private long verificationFailures;
    private @Nullable Leave leave;
    private @Nullable Refusal refused;
    private @Nullable Failure end;

    /**
     * No time has passed.
     *
     * @param persistent whether the client has a durable record; otherwise nothing ever waits
     */
    public Step(boolean persistent) {
        this.persistent = persistent;
    }

    /** What time it was at the last tick, in milliseconds since the core was made. */
    public long now() {
        return now;
    }

    /** Time has passed; it never goes back. */
    public void advance(long nowMillis) {
        now = Math.max(now, nowMillis);
    }

    /** Adds an effect that rests on the record: it waits until all changes so far are durable. */
    public void add(Effect effect) {
        outbox.afterRecords(effect);
    }

    /** Adds an effect that tells nothing of the record. */
    public void now(Effect effect) {
        outbox.now(effect);
    }

    /** Sends a message to the present server. It tells nothing of the record, but never overtakes a frame. */
    public void send(Message message) {
        Effect frame = new Effect.Send(new Frame.Plain(message));
        if (outbox.waits(Effect.Send.class::isInstance)) {
            add(frame);
        } else {
            now(frame);
        }
    }

    /** The connection is gone: what waits to be sent on it is forgotten, and what is still wanted is sent on the next one. */
    public void disconnected() {
        outbox.drop(Effect.Send.class::isInstance);
    }

    /** Sends a signed message, whose number is in the record, to the present server. */
    public void send(Signed<ClientSigned> signed) {
        sendSigned(new Frame.Sealed(signed));
    }

    /** Sends a frame with such a message, perhaps with more beside it. */
    public void sendSigned(Frame frame) {
        add(new Effect.Send(frame));
    }

    public void fail(CallId call, Failure failure) {
        now(new Effect.Failed(call, failure));
    }

    public void notice(Notice notice) {
        now(new Effect.Noticed(notice));
    }

    /** Tells the application of its updates or of a server, once the record is durable. */
    public void happened(ClientEvent event) {
        add(new Effect.Happened(event));
    }

    /** A check of what the present server sent failed, which is a reason to leave it. */
    public void notVerified(Failure.NotVerified finding) {
        verificationFailures++;
        notice(new Notice.VerificationFailed(finding.check(), finding.detail()));
        leave(Why.NOT_VERIFIED, finding.detail());
    }

    public long verificationFailures() {
        return verificationFailures;
    }

    /**
     * There is a reason to leave the present server. Any counts before a doubt, and that it does not respond before the doubts
     * that the client may be unable to pay for; of equal ones the first one of a step counts.
     */
    public void leave(Why why, String detail) {
        if (leave == null || rank(why) > rank(leave.why())) {
            leave = new Leave(why, detail);
        }
    }

    private static int rank(Why why) {
        return !why.doubt() ? 2 : why.unresponsive() ? 1 : 0;
    }

    /** The server refuses this client as such; what that means depends on how many do. */
    public void refusedForGood(Refusal refusal) {
        refused = refusal;
    }

    public void end(Failure why) {
        end = why;
    }

    /** What the client has to remember changes: what is added after this waits until that is durable. */
    public void recordChanged() {
        if (persistent && changed == null) {
            changed = outbox.issue();
        }
    }

    /** Asks the shell to keep the record, if it has changed since the last call. */
    public void persist(Supplier<ClientState> record) {
        if (changed != null) {
            now(new Effect.Persist(changed, record.get()));
            changed = null;
        }
    }

    public void persisted(Ticket ticket) {
        outbox.persisted(ticket);
    }

    /** The reason to leave since the last call. */
    public @Nullable Leave takeLeave() {
        Leave taken = leave;
        leave = null;
        return taken;
    }

    /** The refusal for good since the last call. */
    public @Nullable Refusal takeRefusal() {
        Refusal taken = refused;
        refused = null;
        return taken;
    }

    /** The reason to end since the last call. */
    public @Nullable Failure takeEnd() {
        Failure taken = end;
        end = null;
        return taken;
    }

    /** The effects that may be carried out now, in order. */
    public List<Effect> take() {
        return outbox.take();
    }
}

package org.aspas.client.core.step;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.port.CallId;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientEvent.Why;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Notice;
import org.jspecify.annotations.Nullable;

/**
 * The step that is under way: what time it is, the effects so far, and what has to follow at its end. That is a record to
 * write, a reason to leave the present server, a refusal that may be for good, the end of the client.
 */
public final class Step {
    /** A reason to leave the present server. */
    public record Leave(Why why, String detail) {}

    private List<Effect> effects = new ArrayList<>();
    private long now;
    private boolean recordChanged;
    private long verificationFailures;
    private @Nullable Leave leave;
    private @Nullable Refusal refused;
    private @Nullable Failure end;

    /** What time it was at the last tick, in milliseconds since the core was made. */
    public long now() {
        return now;
    }

    /** Time has passed; it never goes back. */
    public void advance(long nowMillis) {
        now = Math.max(now, nowMillis);
    }

    /** Adds an effect after those so far. */
    public void add(Effect effect) {
        effects.add(effect);
    }

    /** Sends a message to the present server. */
    public void send(Message message) {
        add(new Effect.Send(new Frame.Plain(message)));
    }

    /** Sends a signed message to the present server. */
    public void send(Signed<ClientSigned> signed) {
        add(new Effect.Send(new Frame.Sealed(signed)));
    }

    /** A call has failed. */
    public void fail(CallId call, Failure failure) {
        add(new Effect.Failed(call, failure));
    }

    /** Tells the application of the connection. */
    public void notice(Notice notice) {
        add(new Effect.Noticed(notice));
    }

    /** Tells the application of its updates or of a server. */
    public void happened(ClientEvent event) {
        add(new Effect.Happened(event));
    }

    /** A check of what the present server sent failed, which is a reason to leave it. */
    public void notVerified(Failure.NotVerified finding) {
        verificationFailures++;
        notice(new Notice.VerificationFailed(finding.check(), finding.detail()));
        leave(Why.NOT_VERIFIED, finding.detail());
    }

    /** How many checks have failed. */
    public long verificationFailures() {
        return verificationFailures;
    }

    /** There is a reason to leave the present server; the first one of a step counts. */
    public void leave(Why why, String detail) {
        if (leave == null) {
            leave = new Leave(why, detail);
        }
    }

    /** The server refuses this client as such; what that means depends on how many do. */
    public void refusedForGood(Refusal refusal) {
        refused = refusal;
    }

    /** The client cannot go on. */
    public void end(Failure why) {
        end = why;
    }

    /** What the client has to remember has changed. */
    public void recordChanged() {
        recordChanged = true;
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

    /** Whether what the client has to remember has changed since the last call. */
    public boolean takeRecordChanged() {
        boolean changed = recordChanged;
        recordChanged = false;
        return changed;
    }

    /** The effects since the last call, in order. */
    public List<Effect> take() {
        List<Effect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}

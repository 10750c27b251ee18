package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.ClientEvent.Why;
import org.jspecify.annotations.Nullable;

/** Collects the effects of one step, and the reason to leave the server if one was found. */
final class Outbox {
    /** A reason to leave the present server. */
    record Leave(Why why, String detail) {}

    private List<Effect> effects = new ArrayList<>();
    private boolean recordChanged;
    private long verificationFailures;
    private @Nullable Leave leave;
    private @Nullable Refusal refused;

    void add(Effect effect) {
        effects.add(effect);
    }

    void send(Message message) {
        add(new Effect.Send(new Frame.Plain(message)));
    }

    void send(Signed<ClientSigned> signed) {
        add(new Effect.Send(new Frame.Sealed(signed)));
    }

    void fail(long ticket, Failure failure) {
        add(new Effect.Failed(ticket, failure));
    }

    /** An update did not go well, and may take effect all the same; the application is told once. */
    void mayTakeEffect(PendingUpdate update, Failure why) {
        if (!update.doubtful) {
            update.doubtful = true;
            Request request = update.request();
            add(new Effect.MayTakeEffect(update.ticket, update.number, why));
            happened(new ClientEvent.MayTakeEffect(
                    update.number, request.key(), request.type(), request.operation(), why));
        }
    }

    void notice(Notice notice) {
        add(new Effect.Noticed(notice));
    }

    void happened(ClientEvent event) {
        add(new Effect.Happened(event));
    }

    /** A check of what the present server sent failed, which is a reason to leave it. */
    void notVerified(Failure.NotVerified finding) {
        verificationFailures++;
        notice(new Notice.VerificationFailed(finding.check(), finding.detail()));
        leave(Why.NOT_VERIFIED, finding.detail());
    }

    /** There is a reason to leave the present server; the first one of a step counts. */
    void leave(Why why, String detail) {
        if (leave == null) {
            leave = new Leave(why, detail);
        }
    }

    @Nullable
    Leave takeLeave() {
        Leave taken = leave;
        leave = null;
        return taken;
    }

    /** The server refuses this client as such; what that means depends on how many do. */
    void refusedForGood(Refusal refusal) {
        refused = refusal;
    }

    @Nullable
    Refusal takeRefusal() {
        Refusal taken = refused;
        refused = null;
        return taken;
    }

    void recordChanged() {
        recordChanged = true;
    }

    boolean takeRecordChanged() {
        boolean changed = recordChanged;
        recordChanged = false;
        return changed;
    }

    long verificationFailures() {
        return verificationFailures;
    }

    List<Effect> take() {
        List<Effect> taken = effects;
        effects = new ArrayList<>();
        return taken;
    }
}

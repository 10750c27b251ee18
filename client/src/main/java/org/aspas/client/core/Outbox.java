package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Signed;

/** Collects the effects of one step. */
final class Outbox {
    private List<Effect> effects = new ArrayList<>();
    private boolean recordChanged;
    private long verificationFailures;

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

    void notice(Notice notice) {
        add(new Effect.Noticed(notice));
    }

    void notVerified(Failure.NotVerified finding) {
        verificationFailures++;
        notice(new Notice.VerificationFailed(finding.check(), finding.detail()));
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

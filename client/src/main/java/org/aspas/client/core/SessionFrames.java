package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.client.core.Failure.NotVerified;

/** What the present server says on the connection of the session, and to whom it matters (the protocol page, §3). */
public final class SessionFrames {
    private final ServerSession session;
    private final PendingCalls calls;
    private final ResponseCheck check;
    private final VerifiedCertificates certificates;
    private final SwitchPolicy switching;
    private final StaleServerCheck stale;
    private final Step step;

    public SessionFrames(
            ServerSession session,
            PendingCalls calls,
            ResponseCheck check,
            VerifiedCertificates certificates,
            SwitchPolicy switching,
            StaleServerCheck stale,
            Step step) {
        this.session = session;
        this.calls = calls;
        this.check = check;
        this.certificates = certificates;
        this.switching = switching;
        this.stale = stale;
        this.step = step;
    }

    public void frame(Frame frame) {
        if (!(frame instanceof Frame.Plain plain)) {
            broken("a server sends no signed frame in a session");
            return;
        }
        Message message = plain.message();
        if (message instanceof Hello hello) {
            hello(hello);
        } else if (!session.greeted()) {
            broken("the server did not greet first");
        } else if (message instanceof Answer answer) {
            answer(answer);
        } else if (message instanceof Confirmation confirmation) {
            confirmation(confirmation);
        } else if (message instanceof Refusal refusal) {
            refusal(refusal);
        } else if (message instanceof CertificateReply reply) {
            certificateReply(reply);
        } else {
            broken("a server sends no " + message.kind() + " to a client");
        }
    }

    /** The present server sent what no correct one sends. */
    public void broken(String detail) {
        step.notice(new Notice.ProtocolBroken(detail));
        switching.leaveOrReconnect(Why.NOT_VERIFIED, detail);
    }

    private void hello(Hello hello) {
        if (!session.awaitsGreeting()) {
            broken("the server greeted at the wrong time");
            return;
        }
        Optional<Failure.WrongServer> wrong = switching.wrongServer(hello);
        if (wrong.isEmpty()) {
            session.begin(calls.updates().tolerance());
        } else if (switching.doubtDescriptor() && !session.everOpen()) {
            step.end(wrong.get());
        } else {
            broken(wrong.get().sentence()); // Whoever had a session has the right descriptor: then somebody lies.
        }
    }

    /** The present server names this certificate. With the awaited one it knows all that this client saw certified. */
    private void caughtUp(CertificateNumber certificate) {
        if (!session.caughtUp(certificate)) {
            return;
        }
        if (session.takeSwitched()) {
            calls.resubmitted();
        }
        switching.accepted();
        calls.connected();
    }

    private void answer(Answer answer) {
        Signed<Response> signed = answer.response();
        Response response = signed.message();
        NotVerified finding = check.common(answer).orElse(null);
        if (finding == null) {
            stale.named(response.certificate());
        }
        if (!response.isUpdate()) {
            calls.reads().answered(answer, finding);
        } else if (response.reference() == 0) {
            if (session.opened(response, finding)) {
                caughtUp(response.certificate());
            } else {
                switching.leaveOrReconnect(Why.NOT_VERIFIED, "the session was not opened as asked");
            }
        } else {
            calls.updates().answered(signed, finding);
        }
    }

    private void confirmation(Confirmation confirmation) {
        Optional<NotVerified> wrong = certificates.verify(confirmation.certificate());
        if (wrong.isPresent()) {
            step.notVerified(wrong.get());
            calls.updates().confirmationRejected(confirmation.client(), confirmation.covered(), wrong.get());
            return;
        }
        Certificate certificate = certificates.genuine(confirmation.certificate());
        calls.updates().confirmed(certificate, confirmation.client(), confirmation.covered());
        caughtUp(certificate.number()); // After that: what is confirmed is not submitted again.
        calls.updates().pump();
    }

    private void certificateReply(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (!session.catchingUp()) {
            calls.queries().answered(reply);
        } else if (certificate != null && certificates.verify(certificate).isEmpty()) {
            caughtUp(certificate.number());
        }
    }

    private void refusal(Refusal refusal) {
        if (refusal.read()) {
            calls.reads().refused(refusal);
        } else if (refusal.reference() != 0) {
            calls.updates().refused(refusal);
        } else if (refusal.reason() == Refusal.Reason.DRAINING) {
            switching.leaveOrReconnect(Why.DRAINING, refusal.detail());
        } else if (refusal.reason() == Refusal.Reason.BUSY) {
            step.notice(new Notice.ProtocolBroken("the server is busy: " + refusal.detail()));
            step.now(new Effect.Reconnect("the server is busy: " + refusal.detail()));
        } else if (ofThisServer(refusal) || (session.everOpen() && !forGood(refusal))) {
            refusedHere(refusal);
        } else {
            step.refusedForGood(refusal);
        }
    }

    /** Whether a refusal says nothing about what other servers would say. */
    private static boolean ofThisServer(Refusal refusal) {
        return refusal.reason() == Refusal.Reason.FALSE_COMPLAINTS || refusal.reason() == Refusal.Reason.AMNESIAC;
    }

    /** Whether a refusal is of this client as such, and not of a frame that was damaged or late on its way. */
    private static boolean forGood(Refusal refusal) {
        return switch (refusal.reason()) {
            case UNKNOWN_CLIENT, NUMBER_REUSED, EXCLUDED -> true;
            default -> false;
        };
    }

    /** A refusal that passes, or that another server need not repeat. */
    private void refusedHere(Refusal refusal) {
        step.notice(new Notice.ProtocolBroken("the server refuses a frame: " + refusal.detail()));
        switching.leaveOrReconnect(Why.REFUSED, refusal.detail());
    }
}

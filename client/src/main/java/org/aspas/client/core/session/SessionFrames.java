package org.aspas.client.core.session;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Request;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.check.ResponseCheck;
import org.aspas.client.core.check.VerifiedCertificates;
import org.aspas.client.core.guard.SwitchPolicy;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientEvent.Why;
import org.aspas.client.core.port.ClientSettings;
import org.aspas.client.core.port.Effect;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Failure.NotVerified;
import org.aspas.client.core.port.Notice;
import org.aspas.client.core.read.Rollback;
import org.aspas.client.core.step.Servers;
import org.aspas.client.core.step.Step;
import org.jspecify.annotations.Nullable;

/** What the present server says on the connection of the session, and to whom it matters (the protocol page, §3). */
public final class SessionFrames {
    private final ClientSettings settings;
    private final Servers servers;
    private final ServerSession session;
    private final PendingCalls calls;
    private final ResponseCheck check;
    private final VerifiedCertificates certificates;
    private final SwitchPolicy switching;
    private final Step step;
    private final Rollback rollback;

    /**
     * Nothing was said yet.
     *
     * @param settings the deployment, and whether the client may leave
     * @param servers knows the present server
     * @param session how far the session is
     * @param calls what answers are for
     * @param check checks answers
     * @param certificates verifies certificates
     * @param switching counts the servers that refuse this client
     * @param step takes what follows
     */
    public SessionFrames(
            ClientSettings settings,
            Servers servers,
            ServerSession session,
            PendingCalls calls,
            ResponseCheck check,
            VerifiedCertificates certificates,
            SwitchPolicy switching,
            Step step) {
        this.settings = settings;
        this.servers = servers;
        this.session = session;
        this.calls = calls;
        this.check = check;
        this.certificates = certificates;
        this.switching = switching;
        this.step = step;
        this.rollback = new Rollback(calls.reads(), step);
    }

    /** Takes a frame of the present server. */
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
        if (settings.policy().switching()) {
            step.leave(Why.NOT_VERIFIED, detail);
        } else {
            step.now(new Effect.Reconnect(detail));
        }
    }

    private void hello(Hello hello) {
        if (!session.awaitsGreeting()) {
            broken("the server greeted at the wrong time");
            return;
        }
        if (!hello.deployment().equals(settings.verifier().deployment()) || hello.server() != servers.current()) {
            stranger(new Failure.WrongServer(
                    settings.verifier().deployment(), hello.deployment(), servers.current(), hello.server()));
            return;
        }
        session.begin(calls.updates().tolerance());
    }

    /** Whoever had a session has the right descriptor: then somebody lies. */
    private void stranger(Failure.WrongServer wrong) {
        if (switching.stranger() && !session.everOpen()) {
            step.end(wrong);
        } else {
            broken(wrong.sentence());
        }
    }

    /** The present server names this certificate. With the awaited one it knows all that this client saw certified. */
    private void caughtUp(long certificate) {
        if (!session.caughtUp(certificate)) {
            return;
        }
        List<Request> unconfirmed = calls.updates().unconfirmed();
        if (session.takeSwitched() && !unconfirmed.isEmpty()) {
            List<Long> numbers = unconfirmed.stream().map(Request::number).toList();
            step.happened(new ClientEvent.Resubmitted(numbers, servers.current()));
            rollback.begin(unconfirmed);
        }
        switching.accepted();
        calls.connected();
    }

    private void answer(Answer answer) {
        Signed<Response> signed = answer.response();
        Response response = signed.message();
        NotVerified finding = findings(answer);
        if (!response.isUpdate()) {
            calls.reads().answered(answer, finding);
        } else if (response.reference() == 0) {
            if (session.opened(response, finding)) {
                caughtUp(response.certificate());
            } else if (!settings.policy().switching()) {
                step.now(new Effect.Reconnect("the session was not opened as asked"));
            }
        } else {
            calls.updates().answered(signed, finding);
        }
    }

    private @Nullable NotVerified findings(Answer answer) {
        Optional<NotVerified> wrong = check.common(answer.response());
        if (wrong.isEmpty() && answer.certificate() != null) {
            wrong = check.certificate(answer.response(), answer.certificate(), certificates);
        }
        return wrong.orElse(null);
    }

    private void confirmation(Confirmation confirmation) {
        Optional<NotVerified> wrong = certificates.verify(confirmation.certificate());
        if (wrong.isPresent()) {
            step.notVerified(wrong.get());
            calls.updates().confirmationRejected(confirmation.covered(), wrong.get());
            return;
        }
        Certificate certificate = certificates.genuine(confirmation.certificate());
        calls.updates().confirmed(certificate, confirmation.covered());
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
        } else if (refusal.reason() == Refusal.Reason.BUSY) {
            step.notice(new Notice.ProtocolBroken("the server is busy: " + refusal.detail()));
            step.now(new Effect.Reconnect("the server is busy: " + refusal.detail()));
        } else if (refusal.reason() == Refusal.Reason.FALSE_COMPLAINTS || (session.everOpen() && !forGood(refusal))) {
            refusedHere(refusal);
        } else {
            step.refusedForGood(refusal);
        }
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
        if (settings.policy().switching()) {
            step.leave(Why.REFUSED, refusal.detail());
        } else {
            step.now(new Effect.Reconnect(refusal.detail()));
        }
    }
}

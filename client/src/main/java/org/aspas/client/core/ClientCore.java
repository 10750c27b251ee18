package org.aspas.client.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.OpenSession;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.Failure.NotVerified;
import org.jspecify.annotations.Nullable;

/**
 * The client (paper §3.4, §3.6; the protocol page, docs/protocol.md §3 and §6) as a state machine. Single-threaded; the
 * same events give the same effects.
 */
public final class ClientCore {
    private enum Session {
        DOWN,
        GREETING,
        UP,
        ENDED
    }

    private final CoreSettings settings;
    private final ClientId self;
    private final Sealer sealer;
    private final Outbox outbox = new Outbox();
    private final ResponseCheck check;
    private final CertificateBook book;
    private final Updates updates;
    private final Reads reads;
    private final Questions questions;
    private final ArrayDeque<Signed<ClientSigned>> openings = new ArrayDeque<>();
    private Session session = Session.DOWN;
    private long nextSession;

    /**
     * A client that is not connected.
     *
     * @param settings what it is told once
     * @param self its identity
     * @param sealer signs with its key for the deployment
     * @param certificates verifies certificates against the descriptor
     * @param record what earlier runs with this key left; {@link ClientRecord#FRESH} for a fresh key
     * @param tolerance τ at the start: from 1, or 0 for no bound
     */
    public ClientCore(
            CoreSettings settings,
            ClientId self,
            Sealer sealer,
            CertificateCheck certificates,
            ClientRecord record,
            long tolerance) {
        this.settings = settings;
        this.self = self;
        this.sealer = sealer;
        this.check = new ResponseCheck(settings, self);
        this.book = new CertificateBook(settings, certificates, outbox, record.certificate());
        this.updates = new Updates(settings, self, sealer, check, outbox, record, tolerance);
        this.reads = new Reads(settings.bounds(), book, outbox);
        this.questions = new Questions(settings.bounds(), book, outbox);
        this.nextSession = settings.firstSession();
    }

    /** How many updates are unconfirmed. */
    public int unconfirmed() {
        return updates.unconfirmed();
    }

    /** How many updates wait for room in the window. */
    public int waiting() {
        return updates.waiting();
    }

    /** How many reads are pending. */
    public int pendingReads() {
        return reads.pending();
    }

    /** The newest certificate verified in this run. */
    public Optional<Certificate> newestCertificate() {
        return book.newest();
    }

    /** How many checks have failed. */
    public long verificationFailures() {
        return outbox.verificationFailures();
    }

    /**
     * Takes one event.
     *
     * @return what to do, in order
     */
    public List<Effect> step(Event event) {
        if (session == Session.ENDED) {
            refuseAfterEnd(event);
            return outbox.take();
        }
        handle(event);
        List<Effect> effects = outbox.take();
        if (outbox.takeRecordChanged() && settings.persistent() && session != Session.ENDED) {
            List<Effect> durable = new ArrayList<>(effects.size() + 1);
            durable.add(new Effect.Persist(updates.record(book.highest())));
            durable.addAll(effects);
            return durable;
        }
        return effects;
    }

    private void refuseAfterEnd(Event event) {
        if (event instanceof Event.Update update) {
            outbox.fail(update.ticket(), new Failure.Closed());
        } else if (event instanceof Event.ReadAsked read) {
            outbox.fail(read.ticket(), new Failure.Closed());
        } else if (event instanceof Event.CertificateAsked asked) {
            outbox.fail(asked.ticket(), new Failure.Closed());
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.Update update) {
            updates.submit(update);
        } else if (event instanceof Event.ReadAsked read) {
            reads.submit(read);
        } else if (event instanceof Event.CertificateAsked asked) {
            questions.submit(asked);
        } else if (event instanceof Event.FrameReceived received) {
            frame(received.frame());
        } else if (event instanceof Event.FrameRejected rejected) {
            broken("bytes that are no frame: " + rejected.reason());
        } else if (event instanceof Event.Connected) {
            session = Session.GREETING;
        } else if (event instanceof Event.Disconnected gone) {
            disconnected(gone.reason());
        } else if (event instanceof Event.ToleranceChanged changed) {
            tolerance(changed.tolerance());
        } else if (event instanceof Event.Tick tick) {
            updates.tick();
            reads.tick(tick.nowMillis());
            questions.tick(tick.nowMillis());
        } else if (event instanceof Event.End end) {
            end(end.why());
        }
    }

    private void disconnected(String reason) {
        session = Session.DOWN;
        openings.clear();
        check.disconnected();
        updates.disconnected();
        reads.disconnected();
        questions.disconnected();
        outbox.notice(new Notice.Disconnected(reason));
    }

    private void tolerance(long tolerance) {
        boolean changed = tolerance != updates.tolerance();
        updates.tolerance(tolerance);
        if (changed && session == Session.UP) {
            openSession();
        }
    }

    private void openSession() {
        OpenSession opening = new OpenSession(self, nextSession++, updates.tolerance());
        Signed<ClientSigned> signed = sealer.<ClientSigned>seal(opening);
        openings.add(signed);
        outbox.send(signed);
    }

    private void frame(Frame frame) {
        if (!(frame instanceof Frame.Plain plain)) {
            broken("a server sends no signed frame to a client");
            return;
        }
        Message message = plain.message();
        if (message instanceof Hello hello) {
            hello(hello);
        } else if (session != Session.UP) {
            broken("the server did not greet first");
        } else if (message instanceof Answer answer) {
            answer(answer);
        } else if (message instanceof Confirmation confirmation) {
            confirmation(confirmation);
        } else if (message instanceof Refusal refusal) {
            refusal(refusal);
        } else if (message instanceof CertificateReply reply) {
            questions.answered(reply);
        } else {
            broken("a server sends no " + message.kind() + " to a client");
        }
    }

    private void broken(String detail) {
        outbox.notice(new Notice.ProtocolBroken(detail));
        outbox.add(new Effect.Reconnect(detail));
    }

    private void hello(Hello hello) {
        if (session != Session.GREETING) {
            broken("the server greeted at the wrong time");
            return;
        }
        if (!hello.deployment().equals(settings.verifier().deployment()) || hello.server() != settings.server()) {
            end(new Failure.WrongServer(
                    settings.verifier().deployment(), hello.deployment(), settings.server(), hello.server()));
            return;
        }
        session = Session.UP;
        openSession();
        updates.connected();
        reads.connected();
        questions.connected();
    }

    private void answer(Answer answer) {
        Signed<Response> signed = answer.response();
        Response response = signed.message();
        NotVerified finding = findings(answer);
        if (!response.isUpdate()) {
            reads.answered(answer, finding);
        } else if (response.reference() == 0) {
            opened(response, finding);
        } else {
            updates.answered(signed, finding);
        }
    }

    private @Nullable NotVerified findings(Answer answer) {
        Optional<NotVerified> wrong = check.common(answer.response());
        if (wrong.isEmpty() && answer.certificate() != null) {
            wrong = check.named(answer.response().message(), answer.certificate());
            if (wrong.isEmpty()) {
                wrong = book.verify(answer.certificate());
            }
        }
        return wrong.orElse(null);
    }

    private void opened(Response response, @Nullable NotVerified finding) {
        Signed<ClientSigned> opening = openings.poll();
        NotVerified wrong = finding;
        if (wrong == null) {
            wrong = opening == null
                    ? new NotVerified(Check.ADDRESS, "an answer to a session record that was never sent")
                    : check.entry(response, opening).orElse(null);
        }
        if (wrong != null) {
            outbox.notVerified(wrong);
        } else if (opening != null && opening.message() instanceof OpenSession record) {
            outbox.notice(new Notice.SessionOpened(record.number(), record.tolerance()));
        }
    }

    private void confirmation(Confirmation confirmation) {
        Optional<NotVerified> wrong = book.verify(confirmation.certificate());
        if (wrong.isPresent()) {
            outbox.notVerified(wrong.get());
            updates.confirmationRejected(confirmation.covered(), wrong.get());
            return;
        }
        Certificate certificate = book.genuine(confirmation.certificate());
        confirmation.covered().forEach(covered -> updates.confirm(certificate, covered));
        updates.pump();
    }

    private void refusal(Refusal refusal) {
        if (refusal.read()) {
            reads.refused(refusal);
        } else if (refusal.reference() != 0) {
            updates.refused(refusal);
        } else if (refusal.reason() == Refusal.Reason.BUSY) {
            broken("the server is busy: " + refusal.detail());
        } else {
            end(new Failure.Refused(refusal.reason(), refusal.detail()));
        }
    }

    private void end(Failure why) {
        session = Session.ENDED;
        updates.end(why);
        reads.end(why);
        questions.end(why);
        outbox.add(new Effect.Ended(why));
    }
}

package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent.Exclusion;
import org.aspas.certify.message.CertificateReply;
import org.aspas.certify.message.Confirmation;
import org.aspas.certify.message.GetCertificate;
import org.aspas.certify.message.Hello;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.client.core.Failure.NotVerified;
import org.jspecify.annotations.Nullable;

/**
 * The client (paper §3.4, §3.6; the protocol page, docs/protocol.md §3 and §6-§9) as a state machine. Single-threaded; the
 * same events give the same effects.
 */
public final class ClientCore {
    private final CoreSettings settings;
    private final Outbox outbox = new Outbox();
    private final Ticks ticks = new Ticks();
    private final Servers servers;
    private final Convictions convictions;
    private final Inspection inspection;
    private final Watch watch;
    private final ResponseCheck check;
    private final CertificateBook book;
    private final Window window;
    private final Updates updates;
    private final UpdateAnswers answers;
    private final Reads reads;
    private final EffectCheck effects;
    private final Rollback rollback;
    private final Questions questions;
    private final Session session;
    private final Departures departures;
    /** Whether the unconfirmed updates go to another server than before. */
    private boolean resubmitting;

    /**
     * A client that is not connected.
     *
     * @param settings what it is told once
     * @param self its identity
     * @param sealer signs with its key for the deployment
     * @param certificates verifies certificates against the descriptor
     * @param record what earlier runs with this key left; {@link ClientRecord#FRESH} for a fresh key
     * @param tolerance τ at the start: from 1, or 0 for no bound
     * @param random chooses what to inspect and where to turn; the same numbers give the same choices
     */
    public ClientCore(
            CoreSettings settings,
            ClientId self,
            Sealer sealer,
            CertificateCheck certificates,
            ClientRecord record,
            long tolerance,
            RandomGenerator random) {
        this.settings = settings;
        Policy policy = settings.policy();
        Nonces nonces = new Nonces();
        this.servers = new Servers(settings, random);
        Others others = new Others(settings, self, sealer, outbox, nonces, servers, ticks);
        this.book = new CertificateBook(settings, certificates, outbox, record.certificate());
        this.convictions = new Convictions(servers, outbox);
        Complaints complaints = new Complaints(settings.judge(), others, convictions, outbox);
        this.inspection = new Inspection(policy, others, complaints, random, outbox);
        this.watch = new Watch(
                others,
                new Grace(policy, others, book, inspection, outbox),
                new FirstContact(policy, others, book),
                inspection,
                complaints);
        this.check = new ResponseCheck(settings, self, servers, complaints);
        SendQueue queue = new SendQueue();
        this.window = new Window(settings.bounds().unconfirmed(), record, tolerance);
        this.reads = new Reads(settings, nonces, servers, ticks, book, inspection, outbox);
        this.effects = new EffectCheck(reads, outbox);
        this.updates = new Updates(settings, others, sealer, outbox, window, queue, effects);
        this.answers = new UpdateAnswers(policy, servers, window, queue, check, inspection, effects, outbox);
        this.rollback = new Rollback(reads, outbox);
        this.questions = new Questions(settings.bounds(), ticks, book, outbox);
        long firstSession = Math.max(settings.firstSession(), record.lastSession() + 1);
        this.session = new Session(firstSession, self, sealer, check, outbox);
        this.departures = new Departures(settings, servers, ticks, outbox);
        reads.certifiedWait(!watch.newestKnown());
    }

    /** The server that this client talks to. */
    public int server() {
        return servers.current();
    }

    /** How many updates are unconfirmed. */
    public int unconfirmed() {
        return window.size();
    }

    /** How many updates wait for room in the window. */
    public int waiting() {
        return updates.waiting();
    }

    /** How many reads are pending. */
    public int pendingReads() {
        return reads.pending();
    }

    /** How many inspections were begun. */
    public long inspections() {
        return inspection.started();
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
        if (session.ended()) {
            refuseAfterEnd(event);
            return outbox.take();
        }
        handle(event);
        consequences();
        List<Effect> effects = outbox.take();
        if (outbox.takeRecordChanged() && settings.persistent() && !session.ended()) {
            List<Effect> durable = new ArrayList<>(effects.size() + 1);
            durable.add(new Effect.Persist(window.record(session.last(), book.highest())));
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
        } else if (event instanceof Event.FromServer other) {
            watch.frame(other.server(), other.frame());
        } else if (event instanceof Event.FrameRejected rejected) {
            broken("bytes that are no frame: " + rejected.reason());
        } else if (event instanceof Event.Connected) {
            session.connected();
        } else if (event instanceof Event.Disconnected gone) {
            disconnected();
            outbox.notice(new Notice.Disconnected(gone.reason()));
        } else if (event instanceof Event.ToleranceChanged changed) {
            tolerance(changed.tolerance());
        } else if (event instanceof Event.Tick tick) {
            tick(tick.nowMillis());
        } else if (event instanceof Event.End end) {
            end(end.why());
        }
    }

    private void tick(long nowMillis) {
        ticks.advance(nowMillis);
        departures.tick();
        updates.tick();
        reads.tick();
        effects.tick();
        questions.tick();
        watch.tick(window.oldest());
        if (session.catchingUp()) {
            outbox.send(new GetCertificate(0));
        }
        departures.usable(session.up());
    }

    private void disconnected() {
        session.disconnected();
        check.disconnected();
        updates.disconnected();
        reads.disconnected();
        questions.disconnected();
    }

    private void tolerance(long tolerance) {
        boolean changed = tolerance != window.tolerance();
        window.tolerance(tolerance);
        if (tolerance != 1) {
            answers.tellAll();
        }
        updates.pump();
        if (changed && session.greeted()) {
            session.open(tolerance);
        }
    }

    // ---- What the event led to ----

    private void consequences() {
        reads.certifiedWait(!watch.newestKnown());
        if (answers.announce(book.highest())) {
            departures.progress();
            watch.progress();
        }
        Certificate newest = book.takeAdvanced();
        if (newest != null) {
            for (Exclusion exclusion : newest.content().exclusions()) {
                if (servers.exists(exclusion.origin())) {
                    convictions.convicted(exclusion.origin(), exclusion.evidence());
                }
            }
            answers.cut(newest.content().exclusions());
        }
        Refusal refusal = outbox.takeRefusal();
        if (refusal != null && departures.refused(refusal)) {
            end(new Failure.Refused(refusal.reason(), refusal.detail()));
        }
        Outbox.Leave leave = departures.due();
        if (leave != null && !session.ended()) {
            leave(leave);
        }
    }

    private void leave(Outbox.Leave leave) {
        int from = servers.current();
        OptionalInt to = servers.moveOn(leave.why());
        departures.turned();
        if (to.isEmpty()) {
            return;
        }
        disconnected();
        session.await(book.highest());
        resubmitting = true;
        updates.switched();
        watch.switched();
        outbox.happened(new ClientEvent.Switched(from, to.getAsInt(), leave.why(), leave.detail()));
        outbox.add(new Effect.TurnTo(to.getAsInt()));
    }

    // ---- The session ----

    private void frame(Frame frame) {
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

    private void broken(String detail) {
        outbox.notice(new Notice.ProtocolBroken(detail));
        if (settings.policy().switching()) {
            outbox.leave(Why.NOT_VERIFIED, detail);
        } else {
            outbox.add(new Effect.Reconnect(detail));
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
        session.begin(window.tolerance());
    }

    /** Whoever had a session has the right descriptor: then somebody lies. */
    private void stranger(Failure.WrongServer wrong) {
        if (departures.stranger() && !session.everOpen()) {
            end(wrong);
        } else {
            broken(wrong.sentence());
        }
    }

    /** The present server names this certificate. With the awaited one it knows all that this client saw certified. */
    private void caughtUp(long certificate) {
        if (!session.caughtUp(certificate)) {
            return;
        }
        if (resubmitting && window.size() > 0) {
            List<Long> numbers = new ArrayList<>();
            window.all().forEach(update -> numbers.add(update.number));
            outbox.happened(new ClientEvent.Resubmitted(numbers, servers.current()));
            rollback.begin(window.all());
        }
        resubmitting = false;
        departures.accepted();
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
            if (session.opened(response, finding)) {
                caughtUp(response.certificate());
            } else if (!settings.policy().switching()) {
                outbox.add(new Effect.Reconnect("the session was not opened as asked"));
            }
        } else {
            answers.answered(signed, finding);
            updates.pump();
        }
    }

    private @Nullable NotVerified findings(Answer answer) {
        Optional<NotVerified> wrong = check.common(answer.response());
        if (wrong.isEmpty() && answer.certificate() != null) {
            wrong = check.certificate(answer.response(), answer.certificate(), book);
        }
        return wrong.orElse(null);
    }

    private void confirmation(Confirmation confirmation) {
        Optional<NotVerified> wrong = book.verify(confirmation.certificate());
        if (wrong.isPresent()) {
            outbox.notVerified(wrong.get());
            answers.confirmationRejected(confirmation.covered(), wrong.get());
            return;
        }
        Certificate certificate = book.genuine(confirmation.certificate());
        confirmation.covered().forEach(covered -> answers.confirm(certificate, covered));
        caughtUp(certificate.number()); // After that: what is confirmed is not submitted again.
        updates.pump();
    }

    private void certificateReply(CertificateReply reply) {
        Certificate certificate = reply.certificate();
        if (!session.catchingUp()) {
            questions.answered(reply);
        } else if (certificate != null && book.verify(certificate).isEmpty()) {
            caughtUp(certificate.number());
        }
    }

    private void refusal(Refusal refusal) {
        if (refusal.read()) {
            reads.refused(refusal);
        } else if (refusal.reference() != 0) {
            updates.refused(refusal);
        } else if (refusal.reason() == Refusal.Reason.BUSY) {
            outbox.notice(new Notice.ProtocolBroken("the server is busy: " + refusal.detail()));
            outbox.add(new Effect.Reconnect("the server is busy: " + refusal.detail()));
        } else if (refusal.reason() == Refusal.Reason.FALSE_COMPLAINTS || (session.everOpen() && !forGood(refusal))) {
            refusedHere(refusal);
        } else {
            outbox.refusedForGood(refusal);
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
        outbox.notice(new Notice.ProtocolBroken("the server refuses a frame: " + refusal.detail()));
        if (settings.policy().switching()) {
            outbox.leave(Why.REFUSED, refusal.detail());
        } else {
            outbox.add(new Effect.Reconnect(refusal.detail()));
        }
    }

    private void end(Failure why) {
        session.end();
        updates.end(why);
        reads.end(why);
        questions.end(why);
        outbox.add(new Effect.Ended(why));
    }
}

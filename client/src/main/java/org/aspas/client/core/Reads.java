package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** The pending reads of a client (the protocol page, docs/protocol.md §6). */
public final class Reads {
    /** Gets the outcome of a read. */
    public interface Receiver {
        /** The verified value. {@code present}: the certificate has the object with this type. */
        void done(Effect.ReadDone result, boolean present);

        void failed(Failure failure);

        /** Whether the read is worth leaving a server that refuses it. */
        default boolean insists() {
            return false;
        }
    }

    private final ClientSettings settings;
    private final Identity self;
    private final Servers servers;
    private final VerifiedCertificates certificates;
    private final Inspections inspections;
    private final Step step;
    private final TreeMap<Long, PendingRead> pending = new TreeMap<>();
    private final ReadTimes times;
    private boolean online;
    private boolean certifiedWait;

    public Reads(
            ClientSettings settings,
            Identity self,
            Servers servers,
            VerifiedCertificates certificates,
            Inspections inspections,
            Step step) {
        this.settings = settings;
        this.servers = servers;
        this.self = self;
        this.certificates = certificates;
        this.inspections = inspections;
        this.step = step;
        this.times = new ReadTimes(settings.bounds().readMillis(), step);
    }

    public int pending() {
        return pending.size();
    }

    public void submit(Event.ReadAsked asked) {
        submit(asked, new Receiver() {
            @Override
            public void done(Effect.ReadDone result, boolean present) {
                step.add(result);
            }

            @Override
            public void failed(Failure failure) {
                step.fail(asked.call(), failure);
            }

            @Override
            public boolean insists() {
                return true;
            }
        });
    }

    /** Reads a certified value for a receiver within the client. */
    public void submit(String key, String type, Receiver receiver) {
        submit(new Event.ReadAsked(CallId.NONE, key, type, true), receiver);
    }

    private void submit(Event.ReadAsked asked, Receiver receiver) {
        if (pending.size() >= settings.bounds().reads()) {
            receiver.failed(new Failure.Overflow(pending.size() + " reads are pending: no more are taken"));
            return;
        }
        Optional<String> fault = CallCheck.read(
                asked.key(),
                asked.type(),
                asked.certified(),
                asked.part(),
                settings.bounds().keyBytes());
        if (fault.isPresent()) {
            receiver.failed(new Failure.Invalid(fault.get()));
            return;
        }
        if (forgotten(asked.part())) {
            receiver.failed(movedOn());
            return;
        }
        long deadline = step.now() + settings.bounds().readMillis();
        PendingRead one = new PendingRead(self.nextNonce(), asked, deadline, receiver);
        pending.put(one.nonce, one);
        send(one);
    }

    /** Whether certified reads wait because the newest certificate is not known yet. */
    public void certifiedWait(boolean wait) {
        boolean begin = certifiedWait && !wait;
        certifiedWait = wait;
        if (begin) {
            pending.values().forEach(this::send);
        }
    }

    private void send(PendingRead one) {
        if (online && one.sent == null && !(one.asked.certified() && certifiedWait)) {
            Event.ReadAsked asked = one.asked;
            Read read = new Read(
                    one.nonce, asked.key(), asked.type(), asked.certified(), certificates.highest(), asked.part());
            one.sent = read;
            one.givenAt = one.givenAt < 0 ? step.now() : one.givenAt;
            step.send(read);
        }
    }

    /** The present server can be asked. */
    public void connected() {
        online = true;
        pending.values().forEach(this::send);
    }

    /** What was sent and not answered has to be sent again. */
    public void disconnected() {
        online = false;
        pending.values().forEach(one -> one.sent = null);
    }

    public void switched() {
        times.switched();
        pending.values().forEach(one -> one.givenAt = -1);
    }

    /** Since when the present server has left reads of the application open; negative when it leaves none open. */
    public long awaitedSince() {
        return times.awaitedSince(pending.values());
    }

    public Lateness lateness() {
        return times.lateness();
    }

    /** Time has passed: reads whose time is over fail, and those that wait are sent. */
    public void tick() {
        List<PendingRead> late = new ArrayList<>(pending.values());
        late.removeIf(one -> one.deadline > step.now());
        for (PendingRead one : late) {
            pending.remove(one.nonce);
            times.timedOut(one);
            one.receiver.failed(new Failure.TimedOut(settings.bounds().readMillis()));
        }
        pending.values().forEach(this::send);
    }

    /** Takes an answer to a read; {@code finding} is what the common checks found. */
    public void answered(Answer answer, @Nullable NotVerified finding) {
        Response response = answer.response().message();
        PendingRead one = pending.get(response.reference());
        Read read = one == null ? null : one.sent;
        if (one == null || read == null) {
            strange(response.reference(), finding);
            return;
        }
        times.answered(one, response);
        if (finding != null) {
            reject(one, finding);
        } else if (response.isUpdate() || !response.leaf().equals(Digests.read(read))) {
            reject(one, new NotVerified(Check.ADDRESS, "the answer is to another question than that of the read"));
        } else if (read.certified()) {
            certified(one, read, answer);
        } else {
            local(one, read, answer.response());
        }
    }

    private void local(PendingRead one, Read read, Signed<Response> signed) {
        Response response = signed.message();
        inspections.offer(signed, () -> Question.of(read));
        done(one, Effect.ReadDone.local(one.asked.call(), response), false);
    }

    private void done(PendingRead one, Effect.ReadDone result, boolean present) {
        pending.remove(one.nonce);
        one.receiver.done(result, present);
    }

    private void strange(long nonce, @Nullable NotVerified finding) {
        if (finding != null) {
            step.notVerified(finding);
        } else if (!self.used(nonce)) {
            step.notVerified(new NotVerified(Check.ADDRESS, "an answer to read " + nonce + ", never made"));
        }
    }

    /** A client that stays with its server fails the call; one that switches asks the next server. */
    private void reject(PendingRead one, NotVerified wrong) {
        step.notVerified(wrong);
        if (!servers.switching()) {
            pending.remove(one.nonce);
            one.receiver.failed(wrong);
        }
    }

    private void certified(PendingRead one, Read read, Answer answer) {
        Response response = answer.response().message();
        Certificate certificate = certificates.proving(read, answer);
        ObjectProof proof = answer.proof();
        if (forgotten(read.part())) { // Since it was asked for: the server cannot know.
            pending.remove(one.nonce);
            one.receiver.failed(movedOn());
            return;
        }
        if (certificate == null || proof == null) {
            reject(one, new NotVerified(Check.READ_CERTIFICATE, "a certified read was answered without its proof"));
            return;
        }
        Optional<NotVerified> wrong = ReadCheck.check(read, response.result(), certificate, proof);
        if (wrong.isPresent()) {
            reject(one, wrong.get());
            return;
        }
        done(
                one,
                new Effect.ReadDone(
                        one.asked.call(),
                        response.result(),
                        certificate.content().version(),
                        certificate.number(),
                        certificate,
                        ReadCheck.elements(read, proof),
                        new ReadProof(read, new Answer(answer.response(), certificate, proof))),
                proof.type() != null);
    }

    /** Whether a page is asked of a certificate that this client never saw, or does not keep any more. */
    private boolean forgotten(@Nullable ReadPart part) {
        return part != null
                && part.certificate().isAfter(CertificateNumber.NONE)
                && certificates.get(part.certificate()) == null;
    }

    private static Failure movedOn() {
        return new Failure.Refused(Refusal.Reason.MOVED_ON, "the certificate of the page is not kept here any more");
    }

    /**
     * A server that lacks a certificate will have it soon; that there is none at all is believed by a client that has never
     * seen one; and that the certificate of a page is forgotten is no fault. Any other refusal is one server's word: a client that switches asks the next one, and the read fails when f+1
     * servers have refused it, of which one is correct.
     */
    public void refused(Refusal refusal) {
        PendingRead one = pending.get(refusal.reference());
        if (one == null) {
            return;
        }
        one.sent = null; // The next tick sends it again, or the next server gets it.
        boolean none = refusal.reason() == Refusal.Reason.NO_CERTIFICATE;
        if (refusal.reason() == Refusal.Reason.BEHIND
                || refusal.reason() == Refusal.Reason.BUSY
                || refusal.reason() == Refusal.Reason.TOO_OFTEN
                || (none && certificates.highest().isAfter(CertificateNumber.NONE))) {
            return;
        }
        if (refusal.reason() == Refusal.Reason.DRAINING) {
            step.leave(Why.DRAINING, refusal.detail()); // The next server gets it.
            return;
        }
        ReadPart part = one.asked.part();
        boolean forgotten = refusal.reason() == Refusal.Reason.MOVED_ON
                && part != null
                && part.certificate().isAfter(CertificateNumber.NONE);
        boolean over = none || forgotten || one.believed(servers, refusal.reason());
        if (servers.hear(one.refusedBy) || over || !one.receiver.insists()) {
            pending.remove(one.nonce);
            one.receiver.failed(new Failure.Refused(refusal.reason(), refusal.detail()));
        } else {
            step.leave(Why.REFUSED, refusal.detail());
        }
    }

    public void end(Failure why) {
        List<PendingRead> all = new ArrayList<>(pending.values());
        pending.clear();
        all.forEach(one -> one.receiver.failed(why));
    }

    /**
     * How long the present server takes for reads. Only those of the application count: a switch begins some reads of the client
     * itself, and must not lead to the next one.
     */
    private static final class ReadTimes {
        private final long readMillis;
        private final Step step;
        private final LateAnswers late = new LateAnswers();
        /**
         * When the first read was given to the present server that it has left open until its time was over; negative when it has
         * answered one since.
         */
        private long openSince = -1;

        /** Begins with no reads; {@code readMillis} is the time after which a read fails. */
        ReadTimes(long readMillis, Step step) {
            this.readMillis = readMillis;
            this.step = step;
        }

        /** Since when the present server has left reads open, over all connections; negative when it leaves none open. */
        long awaitedSince(Collection<PendingRead> pending) {
            return pending.stream()
                    .filter(one -> one.receiver.insists())
                    .mapToLong(one -> one.givenAt)
                    .filter(at -> at >= 0)
                    .map(at -> openSince < 0 ? at : Math.min(at, openSince))
                    .min()
                    .orElse(-1);
        }

        void timedOut(PendingRead one) {
            if (one.receiver.insists() && openSince < 0) {
                openSince = one.givenAt;
            }
        }

        /** An answer has come. A whole value of many elements may take half as long as what makes a server be left. */
        void answered(PendingRead one, Response response) {
            if (!one.receiver.insists()) {
                return;
            }
            openSince = -1;
            long millis = step.now() - one.givenAt;
            boolean large = one.asked.part() == null && response.result() instanceof Value.Sequence;
            long most = large ? readMillis / 4 : 0;
            late.answered(step.now(), millis, millis >= Math.max(LateAnswers.LATE_MILLIS, most));
        }

        void switched() {
            openSince = -1;
            late.switched();
        }

        Lateness lateness() {
            return late.lateness();
        }
    }

    /** A read that has not ended. */
    private static final class PendingRead {
        final long nonce;
        final Event.ReadAsked asked;
        final long deadline;
        final Reads.Receiver receiver;
        /** As it was sent last; null when it has to be sent. */
        @Nullable
        Read sent;
        /** When the present server was first given it; negative for not yet. */
        long givenAt = -1;

        final TreeSet<Integer> refusedBy = new TreeSet<>();

        PendingRead(long nonce, Event.ReadAsked asked, long deadline, Reads.Receiver receiver) {
            this.nonce = nonce;
            this.asked = asked;
            this.deadline = deadline;
            this.receiver = receiver;
        }

        /** The present server refuses it; whether f+1 servers have refused as much of the object of late, for whatever read. */
        boolean believed(Servers servers, Refusal.Reason reason) {
            return switch (reason) {
                case WRONG_TYPE -> servers.refuses(asked.key(), asked.type(), "", reason);
                case TOO_LARGE -> servers.refuses(asked.key(), asked.type(), kind(), reason);
                default -> false;
            };
        }

        /** What kind of read servers refuse as too large: of the whole value, of a page, or of an element. */
        private String kind() {
            ReadPart part = asked.part();
            return part == null ? "whole" : part.element() == null ? "page" : "element";
        }
    }
}

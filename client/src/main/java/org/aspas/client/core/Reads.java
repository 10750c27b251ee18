package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.Question;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Response;
import org.aspas.certify.message.Signed;
import org.aspas.certify.state.StateTree;
import org.aspas.client.core.ClientEvent.Why;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** The pending reads of a client (the protocol page, docs/protocol.md §6). */
final class Reads {
    /** Who asked. */
    interface Receiver {
        /** The verified value; its ticket means nothing. {@code present}: the certificate has the object with this type. */
        void done(Effect.ReadDone result, boolean present);

        void failed(Failure failure);

        /** Whether the read is worth leaving a server that refuses it. */
        boolean insists();
    }

    private static final class Pending {
        final long nonce;
        final String key;
        final String type;
        final boolean certified;
        final long deadline;
        final Receiver receiver;
        /** As it was sent last; null when it has to be sent. */
        @Nullable
        Read sent;
        /** When the present server was first given it; negative for not yet. */
        long givenAt = -1;
        /** The servers that refused it. */
        final TreeSet<Integer> refusedBy = new TreeSet<>();

        Pending(long nonce, String key, String type, boolean certified, long deadline, Receiver receiver) {
            this.nonce = nonce;
            this.key = key;
            this.type = type;
            this.certified = certified;
            this.deadline = deadline;
            this.receiver = receiver;
        }
    }

    private final CoreSettings settings;
    private final Nonces nonces;
    private final Servers servers;
    private final Ticks ticks;
    private final CertificateBook book;
    private final Inspection inspection;
    private final Outbox outbox;
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private boolean online;
    private boolean certifiedWait;

    Reads(
            CoreSettings settings,
            Nonces nonces,
            Servers servers,
            Ticks ticks,
            CertificateBook book,
            Inspection inspection,
            Outbox outbox) {
        this.settings = settings;
        this.servers = servers;
        this.nonces = nonces;
        this.ticks = ticks;
        this.book = book;
        this.inspection = inspection;
        this.outbox = outbox;
    }

    int pending() {
        return pending.size();
    }

    void submit(Event.ReadAsked asked) {
        long ticket = asked.ticket();
        submit(asked.key(), asked.type(), asked.certified(), new Receiver() {
            @Override
            public void done(Effect.ReadDone result, boolean present) {
                outbox.add(new Effect.ReadDone(
                        ticket, result.value(), result.version(), result.certificateNumber(), result.certificate()));
            }

            @Override
            public void failed(Failure failure) {
                outbox.fail(ticket, failure);
            }

            @Override
            public boolean insists() {
                return true;
            }
        });
    }

    void submit(String key, String type, boolean certified, Receiver receiver) {
        if (pending.size() >= settings.bounds().reads()) {
            receiver.failed(new Failure.Overflow(pending.size() + " reads are pending: no more are taken"));
            return;
        }
        if (DataTypes.byName(type).isEmpty()) {
            receiver.failed(new Failure.Invalid("there is no datatype " + type));
            return;
        }
        long deadline = ticks.now() + settings.bounds().readMillis();
        Pending one = new Pending(nonces.next(), key, type, certified, deadline, receiver);
        pending.put(one.nonce, one);
        send(one);
    }

    /** Whether certified reads wait because the newest certificate is not known yet. */
    void certifiedWait(boolean wait) {
        boolean begin = certifiedWait && !wait;
        certifiedWait = wait;
        if (begin) {
            pending.values().forEach(this::send);
        }
    }

    private void send(Pending one) {
        if (online && one.sent == null && !(one.certified && certifiedWait)) {
            Read read = new Read(one.nonce, one.key, one.type, one.certified, book.highest());
            one.sent = read;
            one.givenAt = one.givenAt < 0 ? ticks.now() : one.givenAt;
            outbox.send(read);
        }
    }

    void connected() {
        online = true;
        pending.values().forEach(this::send);
    }

    void disconnected() {
        online = false;
        pending.values().forEach(one -> {
            one.sent = null;
            one.givenAt = -1;
        });
    }

    /** A read that the server leaves open for half its time is a reason to ask another one. */
    void tick() {
        List<Pending> late = new ArrayList<>(pending.values());
        late.removeIf(one -> one.deadline > ticks.now());
        for (Pending one : late) {
            pending.remove(one.nonce);
            one.receiver.failed(new Failure.TimedOut(settings.bounds().readMillis()));
        }
        long overdue = ticks.now() - settings.bounds().readMillis() / 2;
        if (pending.values().stream().anyMatch(one -> one.givenAt >= 0 && one.givenAt <= overdue)) {
            outbox.leave(Why.UNREACHABLE, "appserver " + servers.current() + " leaves a read open");
        }
        pending.values().forEach(this::send);
    }

    /** Takes an answer to a read; {@code finding} is what the common checks found. */
    void answered(Answer answer, @Nullable NotVerified finding) {
        Response response = answer.response().message();
        Pending one = pending.get(response.reference());
        Read read = one == null ? null : one.sent;
        if (one == null || read == null) {
            strange(response.reference(), finding);
            return;
        }
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

    private void local(Pending one, Read read, Signed<Response> signed) {
        Response response = signed.message();
        if (inspection.drawn()) {
            inspection.inspect(signed, Question.of(read));
        }
        done(one, new Effect.ReadDone(0, response.result(), response.version(), response.certificate(), null), false);
    }

    private void done(Pending one, Effect.ReadDone result, boolean present) {
        pending.remove(one.nonce);
        one.receiver.done(result, present);
    }

    private void strange(long nonce, @Nullable NotVerified finding) {
        if (finding != null) {
            outbox.notVerified(finding);
        } else if (!nonces.used(nonce)) {
            outbox.notVerified(new NotVerified(Check.ADDRESS, "an answer to read " + nonce + ", never made"));
        }
    }

    /** A client that stays with its server fails the call; one that switches asks the next server. */
    private void reject(Pending one, NotVerified wrong) {
        outbox.notVerified(wrong);
        if (!settings.policy().switching()) {
            pending.remove(one.nonce);
            one.receiver.failed(wrong);
        }
    }

    private void certified(Pending one, Read read, Answer answer) {
        Response response = answer.response().message();
        Certificate certificate =
                answer.certificate() == null ? book.get(response.certificate()) : book.genuine(answer.certificate());
        ObjectProof proof = answer.proof();
        if (certificate == null || proof == null) {
            reject(one, new NotVerified(Check.READ_CERTIFICATE, "a certified read was answered without its proof"));
        } else if (certificate.number() < read.certificate()) {
            reject(
                    one,
                    new NotVerified(
                            Check.READ_CERTIFICATE,
                            "the value is of certificate " + certificate.number() + ", asked for " + read.certificate()
                                    + " or later"));
        } else if (!proves(read, response.result(), proof, certificate.content().state())) {
            reject(
                    one,
                    new NotVerified(
                            Check.STATE_PROOF,
                            "the value of " + read.key() + " is not proved in certificate " + certificate.number()));
        } else {
            done(
                    one,
                    new Effect.ReadDone(
                            0, response.result(), certificate.content().version(), certificate.number(), certificate),
                    proof.type() != null);
        }
    }

    private static boolean proves(Read read, Value value, ObjectProof proof, Hash root) {
        Hash path = StateTree.objectPath(read.key());
        String type = proof.type();
        Hash digest = proof.stateDigest();
        if (type == null || digest == null) {
            Optional<Value> none =
                    DataTypes.byName(read.type()).map(known -> known.empty().value());
            return none.equals(Optional.of(value)) && proof.path().provesAbsence(root, path);
        }
        return type.equals(read.type())
                && proof.path().provesPresence(root, path, StateLeaves.object(read.key(), type, value, digest));
    }

    /**
     * A server that lacks a certificate will have it soon; that there is none at all is believed by a client that has never
     * seen one. Any other refusal is one server's word: a client that switches asks the next one, and the read fails when f+1
     * servers have refused it, of which one is correct.
     */
    void refused(Refusal refusal) {
        Pending one = pending.get(refusal.reference());
        if (one == null) {
            return;
        }
        one.sent = null; // The next tick sends it again, or the next server gets it.
        boolean none = refusal.reason() == Refusal.Reason.NO_CERTIFICATE;
        if (refusal.reason() == Refusal.Reason.BEHIND
                || refusal.reason() == Refusal.Reason.BUSY
                || refusal.reason() == Refusal.Reason.TOO_OFTEN
                || (none && book.highest() > 0)) {
            return;
        }
        one.refusedBy.add(servers.current());
        boolean believed = none || !settings.policy().switching() || one.refusedBy.size() >= servers.oneCorrect();
        if (believed || !one.receiver.insists()) {
            pending.remove(one.nonce);
            one.receiver.failed(new Failure.Refused(refusal.reason(), refusal.detail()));
        } else {
            outbox.leave(Why.REFUSED, refusal.detail());
        }
    }

    void end(Failure why) {
        List<Pending> all = new ArrayList<>(pending.values());
        pending.clear();
        all.forEach(one -> one.receiver.failed(why));
    }
}

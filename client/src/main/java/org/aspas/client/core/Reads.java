package org.aspas.client.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.codec.Digests;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Answer;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.Read;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Response;
import org.aspas.certify.state.StateTree;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** The pending reads of a client (the protocol page, docs/protocol.md §6). */
final class Reads {
    private record Pending(long ticket, Read read, long deadline) {}

    private final CoreSettings.Bounds bounds;
    private final CertificateBook book;
    private final Outbox outbox;
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private long lastNonce;
    private boolean online;
    private long now;

    Reads(CoreSettings.Bounds bounds, CertificateBook book, Outbox outbox) {
        this.bounds = bounds;
        this.book = book;
        this.outbox = outbox;
    }

    int pending() {
        return pending.size();
    }

    void submit(Event.ReadAsked asked) {
        if (pending.size() >= bounds.reads()) {
            outbox.fail(asked.ticket(), new Failure.Overflow(pending.size() + " reads are pending: no more are taken"));
            return;
        }
        if (DataTypes.byName(asked.type()).isEmpty()) {
            outbox.fail(asked.ticket(), new Failure.Invalid("there is no datatype " + asked.type()));
            return;
        }
        Read read = new Read(++lastNonce, asked.key(), asked.type(), asked.certified(), book.highest());
        pending.put(read.nonce(), new Pending(asked.ticket(), read, now + bounds.readMillis()));
        if (online) {
            outbox.send(read);
        }
    }

    void connected() {
        online = true;
        pending.values().forEach(one -> outbox.send(one.read()));
    }

    void disconnected() {
        online = false;
    }

    void tick(long nowMillis) {
        now = nowMillis;
        List<Pending> late = new ArrayList<>(pending.values());
        late.removeIf(one -> one.deadline() > nowMillis);
        for (Pending one : late) {
            pending.remove(one.read().nonce());
            outbox.fail(one.ticket(), new Failure.TimedOut(bounds.readMillis()));
        }
    }

    /** Takes an answer to a read; {@code finding} is what the common checks found. */
    void answered(Answer answer, @Nullable NotVerified finding) {
        Response response = answer.response().message();
        Pending one = pending.remove(response.reference());
        if (one == null) {
            strange(response.reference(), finding);
            return;
        }
        if (finding != null) {
            reject(one, finding);
        } else if (response.isUpdate() || !response.leaf().equals(Digests.read(one.read()))) {
            reject(one, new NotVerified(Check.ADDRESS, "the answer is to another question than that of the read"));
        } else if (one.read().certified()) {
            certified(one, answer);
        } else {
            outbox.add(new Effect.ReadDone(
                    one.ticket(), response.result(), response.version(), response.certificate(), null));
        }
    }

    private void strange(long nonce, @Nullable NotVerified finding) {
        if (finding != null) {
            outbox.notVerified(finding);
        } else if (nonce < 1 || nonce > lastNonce) {
            outbox.notVerified(new NotVerified(Check.ADDRESS, "an answer to read " + nonce + ", never made"));
        }
    }

    private void reject(Pending one, NotVerified wrong) {
        outbox.notVerified(wrong);
        outbox.fail(one.ticket(), wrong);
    }

    private void certified(Pending one, Answer answer) {
        Response response = answer.response().message();
        Certificate certificate =
                answer.certificate() == null ? book.get(response.certificate()) : book.genuine(answer.certificate());
        ObjectProof proof = answer.proof();
        if (certificate == null || proof == null) {
            reject(one, new NotVerified(Check.READ_CERTIFICATE, "a certified read was answered without its proof"));
        } else if (certificate.number() < one.read().certificate()) {
            reject(
                    one,
                    new NotVerified(
                            Check.READ_CERTIFICATE,
                            "the value is of certificate " + certificate.number() + ", asked for "
                                    + one.read().certificate() + " or later"));
        } else if (!proves(
                one.read(), response.result(), proof, certificate.content().state())) {
            reject(
                    one,
                    new NotVerified(
                            Check.STATE_PROOF,
                            "the value of " + one.read().key() + " is not proved in certificate "
                                    + certificate.number()));
        } else {
            outbox.add(new Effect.ReadDone(
                    one.ticket(),
                    response.result(),
                    certificate.content().version(),
                    certificate.number(),
                    certificate));
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

    void refused(Refusal refusal) {
        Pending one = pending.remove(refusal.reference());
        if (one != null) {
            outbox.fail(one.ticket(), new Failure.Refused(refusal.reason(), refusal.detail()));
        }
    }

    void end(Failure why) {
        pending.values().forEach(one -> outbox.fail(one.ticket(), why));
        pending.clear();
    }
}

package org.aspas.bftcluster.frame;

import bftsmart.consensus.TimestampValuePair;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.util.TOMUtil;
import java.nio.ByteBuffer;
import java.security.SignedObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the messages of a change of leader, which carry streams inside streams. What the library does not check is
 * checked here: that a collect is signed, for this very regency, one per replica, and that a decision has its votes. Two
 * collects of one replica are never let through: the library counts collects, and with two of one liar it could take a
 * value as free that is decided.
 */
final class LeaderChangeCheck {
    private static final int MAX_WRITES = 64;

    private final Membership membership;
    private final ConsensusCheck consensus;

    LeaderChangeCheck(Membership membership) {
        this.membership = membership;
        this.consensus = new ConsensusCheck(membership);
    }

    Judgement.Kind check(int type, int regency, int sender, byte[] payload) throws Malformed {
        Malformed.unless(regency >= 1 && regency <= ConsensusCheck.MAX_EPOCH, Refusal.SHAPE, "the number of a regency");
        Parts parts = Parts.of(StreamReader.read(payload));
        switch (type) {
            case TOMUtil.STOP -> stop(parts);
            case TOMUtil.STOPDATA -> stopdata(parts, regency, sender);
            case TOMUtil.SYNC -> sync(parts, regency);
            default -> throw new Malformed(Refusal.SHAPE, "a type of leader change message");
        }
        parts.end();
        return type == TOMUtil.STOP
                ? Judgement.Kind.STOP
                : type == TOMUtil.SYNC ? Judgement.Kind.SYNC : Judgement.Kind.STOPDATA;
    }

    private void stop(Parts parts) throws Malformed {
        // Without requests the library's message thread dies of it at the receiver.
        Malformed.unless(truth(parts.data(1)), Refusal.SHAPE, "a STOP without requests");
        BatchCheck.batch(parts.bytes(), membership.maxRelayed(), membership);
    }

    private void stopdata(Parts parts, int regency, int sender) throws Malformed {
        ByteBuffer head = parts.data();
        Malformed.unless(head.hasRemaining(), Refusal.SHAPE, "no decision flag");
        if (truth(head)) {
            Malformed.unless(head.remaining() == Integer.BYTES, Refusal.SHAPE, "no number of a decision");
            decision(head.getInt(), parts.next(), parts.next());
        } else {
            Malformed.unless(!head.hasRemaining(), Refusal.SHAPE, "data after the decision flag");
        }
        Malformed.unless(collect(parts.next(), regency) == sender, Refusal.SENDER, "another replica's collect");
    }

    private void sync(Parts parts, int regency) throws Malformed {
        Parts decided = Parts.of(parts.next(), CertifiedDecision.class);
        ByteBuffer head = decided.data(2 * Integer.BYTES);
        Malformed.unless(membership.contains(head.getInt()), Refusal.SHAPE, "whose decision");
        int number = head.getInt();
        Value batch = decided.next();
        Value proof = decided.next();
        decided.end();
        if (number == -1) {
            Malformed.unless(
                    batch == Value.Nil.NIL && proof == Value.Nil.NIL, Refusal.SHAPE, "a decision before the first");
        } else {
            decision(number, batch, proof);
        }
        collects(parts.next(), regency);
        BatchCheck.batch(parts.bytes(), membership.maxBatch(), membership);
        Malformed.unless(parts.data(Integer.BYTES).getInt() >= 0, Refusal.SHAPE, "a batch size");
    }

    private void decision(int number, Value batch, Value proof) throws Malformed {
        byte[] octets = Parts.bytes(batch);
        Malformed.unless(number >= 0, Refusal.SHAPE, "the number of a decision");
        BatchCheck.batch(octets, membership.maxBatch(), membership);
        consensus.proof(proof, number, Digests.hash(octets));
    }

    private void collects(Value set, int regency) throws Malformed {
        List<Value> members = Parts.set(set, membership.n());
        Set<Integer> senders = new HashSet<>();
        for (Value member : members) {
            senders.add(collect(member, regency));
        }
        boolean enough = senders.size() == members.size() && senders.size() >= membership.n() - membership.b();
        Malformed.unless(enough, Refusal.SHAPE, "the number of collects");
    }

    /** Whose collect it is. */
    private int collect(Value value, int regency) throws Malformed {
        Value.Instance signed = Parts.instance(value, SignedObject.class);
        byte[] content = Parts.bytes(Parts.field(signed, "content"));
        byte[] signature = Parts.bytes(Parts.field(signed, "signature"));
        Malformed.unless(
                Parts.field(signed, "thealgorithm").equals(new Value.Text(Digests.SIGNATURE)),
                Refusal.SHAPE,
                "a signature algorithm");
        Parts outer = Parts.of(StreamReader.read(content));
        Parts parts = Parts.of(outer.next(), CollectData.class);
        outer.end();
        ByteBuffer head = parts.data(3 * Integer.BYTES);
        int sender = head.getInt();
        Malformed.unless(membership.contains(sender), Refusal.SHAPE, "whose collect");
        Malformed.unless(head.getInt() >= 0 && head.getInt() == regency, Refusal.SHAPE, "a collect of another regency");
        Malformed.unless(
                written(parts.next()).length <= ConsensusCheck.HASH_BYTES, Refusal.SHAPE, "the hash of a quorum");
        for (Value write : Parts.set(parts.next(), MAX_WRITES)) {
            BatchCheck.batch(written(write), membership.maxBatch(), membership);
        }
        parts.end();
        Malformed.unless(
                Digests.signed(membership.keys().get(sender), content, signature), Refusal.SIGNATURE, "a collect");
        return sender;
    }

    private static byte[] written(Value value) throws Malformed {
        Parts pair = Parts.of(value, TimestampValuePair.class);
        int time = pair.data(Integer.BYTES).getInt();
        Malformed.unless(time >= 0 && time <= ConsensusCheck.MAX_EPOCH, Refusal.SHAPE, "the time of a write");
        byte[] result = pair.bytes();
        pair.end();
        return result;
    }

    private static boolean truth(ByteBuffer data) {
        return data.get() != 0;
    }
}

package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

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

    private final ReplicaGroup membership;
    private final ConsensusCheck consensus;

    LeaderChangeCheck(ReplicaGroup membership) {
        this.membership = membership;
        this.consensus = new ConsensusCheck(membership);
    }

    FrameVerdict.Kind check(int type, int regency, int sender, byte[] payload) throws MalformedFrameException {
        require(regency >= 1 && regency <= ConsensusCheck.MAX_EPOCH, RefusalReason.SHAPE, "the number of a regency");
        ContentsReader parts = ContentsReader.of(StreamReader.read(payload));
        switch (type) {
            case TOMUtil.STOP -> stop(parts);
            case TOMUtil.STOPDATA -> stopdata(parts, regency, sender);
            case TOMUtil.SYNC -> sync(parts, regency);
            default -> throw new MalformedFrameException(RefusalReason.SHAPE, "a type of leader change message");
        }
        parts.end();
        return type == TOMUtil.STOP
                ? FrameVerdict.Kind.STOP
                : type == TOMUtil.SYNC ? FrameVerdict.Kind.SYNC : FrameVerdict.Kind.STOPDATA;
    }

    private void stop(ContentsReader parts) throws MalformedFrameException {
        // Without requests the library's message thread dies of it at the receiver.
        require(truth(parts.data(1)), RefusalReason.SHAPE, "a STOP without requests");
        BatchCheck.batch(parts.bytes(), membership.maxRelayed(), membership);
    }

    private void stopdata(ContentsReader parts, int regency, int sender) throws MalformedFrameException {
        ByteBuffer head = parts.data();
        require(head.hasRemaining(), RefusalReason.SHAPE, "no decision flag");
        if (truth(head)) {
            require(head.remaining() == Integer.BYTES, RefusalReason.SHAPE, "no number of a decision");
            decision(head.getInt(), parts.next(), parts.next());
        } else {
            require(!head.hasRemaining(), RefusalReason.SHAPE, "data after the decision flag");
        }
        require(collect(parts.next(), regency) == sender, RefusalReason.SENDER, "another replica's collect");
    }

    private void sync(ContentsReader parts, int regency) throws MalformedFrameException {
        ContentsReader decided = ContentsReader.of(parts.next(), CertifiedDecision.class);
        ByteBuffer head = decided.data(2 * Integer.BYTES);
        require(membership.contains(head.getInt()), RefusalReason.SHAPE, "whose decision");
        int number = head.getInt();
        StreamValue batch = decided.next();
        StreamValue proof = decided.next();
        decided.end();
        if (number == -1) {
            require(
                    batch == StreamValue.Nil.NIL && proof == StreamValue.Nil.NIL,
                    RefusalReason.SHAPE,
                    "a decision before the first");
        } else {
            decision(number, batch, proof);
        }
        collects(parts.next(), regency);
        BatchCheck.batch(parts.bytes(), membership.maxBatch(), membership);
        require(parts.data(Integer.BYTES).getInt() >= 0, RefusalReason.SHAPE, "a batch size");
    }

    private void decision(int number, StreamValue batch, StreamValue proof) throws MalformedFrameException {
        byte[] octets = ContentsReader.bytes(batch);
        require(number >= 0, RefusalReason.SHAPE, "the number of a decision");
        BatchCheck.batch(octets, membership.maxBatch(), membership);
        consensus.proof(proof, number, LibraryCrypto.hash(octets));
    }

    private void collects(StreamValue set, int regency) throws MalformedFrameException {
        List<StreamValue> members = ContentsReader.set(set, membership.n());
        Set<Integer> senders = new HashSet<>();
        for (StreamValue member : members) {
            senders.add(collect(member, regency));
        }
        boolean enough = senders.size() == members.size() && senders.size() >= membership.n() - membership.b();
        require(enough, RefusalReason.SHAPE, "the number of collects");
    }

    /** Whose collect it is. */
    private int collect(StreamValue value, int regency) throws MalformedFrameException {
        StreamValue.Instance signed = ContentsReader.instance(value, SignedObject.class);
        byte[] content = ContentsReader.bytes(ContentsReader.field(signed, "content"));
        byte[] signature = ContentsReader.bytes(ContentsReader.field(signed, "signature"));
        require(
                ContentsReader.field(signed, "thealgorithm").equals(new StreamValue.Text(LibraryCrypto.SIGNATURE)),
                RefusalReason.SHAPE,
                "a signature algorithm");
        ContentsReader outer = ContentsReader.of(StreamReader.read(content));
        ContentsReader parts = ContentsReader.of(outer.next(), CollectData.class);
        outer.end();
        ByteBuffer head = parts.data(3 * Integer.BYTES);
        int sender = head.getInt();
        require(membership.contains(sender), RefusalReason.SHAPE, "whose collect");
        require(head.getInt() >= 0 && head.getInt() == regency, RefusalReason.SHAPE, "a collect of another regency");
        require(written(parts.next()).length <= ConsensusCheck.HASH_BYTES, RefusalReason.SHAPE, "the hash of a quorum");
        for (StreamValue write : ContentsReader.set(parts.next(), MAX_WRITES)) {
            BatchCheck.batch(written(write), membership.maxBatch(), membership);
        }
        parts.end();
        require(
                LibraryCrypto.isSigned(membership.keys().get(sender), content, signature),
                RefusalReason.SIGNATURE,
                "a collect");
        return sender;
    }

    private static byte[] written(StreamValue value) throws MalformedFrameException {
        ContentsReader pair = ContentsReader.of(value, TimestampValuePair.class);
        int time = pair.data(Integer.BYTES).getInt();
        require(time >= 0 && time <= ConsensusCheck.MAX_EPOCH, RefusalReason.SHAPE, "the time of a write");
        byte[] result = pair.bytes();
        pair.end();
        return result;
    }

    private static boolean truth(ByteBuffer data) {
        return data.get() != 0;
    }
}

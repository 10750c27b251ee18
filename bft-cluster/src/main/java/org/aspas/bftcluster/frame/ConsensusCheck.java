package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks consensus messages, and the proofs that are made of them. */
final class ConsensusCheck {
    /**
     * The highest epoch of an instance. The library makes every epoch below the one it is told, each inside the next: a
     * large number ends in a stack overflow.
     */
    static final int MAX_EPOCH = 1024;

    /** The library's hash (MD5) and its authentication code (HMAC-MD5) have this length. */
    static final int HASH_BYTES = 16;

    private static final int HEAD_BYTES = 5 * Integer.BYTES + 1;

    private final ReplicaGroup membership;
    private final Map<StreamValue, Message> checked = new IdentityHashMap<>();

    /** One vote or proposal whose form is right. */
    record Message(int sender, int number, int epoch, int type, byte[] value) {}

    ConsensusCheck(ReplicaGroup membership) {
        this.membership = membership;
    }

    Message message(StreamValue object) throws MalformedFrameException {
        Message known = checked.get(object);
        if (known != null) {
            return known;
        }
        ContentsReader parts = ContentsReader.of(object, ConsensusMessage.class);
        ByteBuffer data = parts.data();
        require(data.remaining() >= HEAD_BYTES, RefusalReason.SHAPE, "a short consensus message");
        int sender = data.getInt();
        int number = data.getInt();
        int epoch = data.getInt();
        int type = data.getInt();
        require(data.getInt() == data.remaining() - 1, RefusalReason.SHAPE, "the length of a value");
        byte[] value = new byte[data.remaining() - 1];
        data.get(value);
        boolean proof = data.get() != 0;
        require(
                number >= 0 && epoch >= 0 && epoch <= MAX_EPOCH,
                RefusalReason.SHAPE,
                "the number of an instance or epoch");
        switch (type) {
            case MessageFactory.PROPOSE -> {
                require(epoch == 0 && !proof, RefusalReason.SHAPE, "a proposal with epoch or proof");
                BatchCheck.batch(value, membership.maxBatch(), membership);
            }
            case MessageFactory.WRITE ->
                require(value.length == HASH_BYTES && !proof, RefusalReason.SHAPE, "a first vote");
            case MessageFactory.ACCEPT -> {
                require(value.length == HASH_BYTES && proof, RefusalReason.SHAPE, "a second vote");
                codes(parts.next());
            }
            default -> throw new MalformedFrameException(RefusalReason.SHAPE, "a type of consensus message");
        }
        parts.end();
        Message result = new Message(sender, number, epoch, type, value);
        checked.put(object, result);
        return result;
    }

    /** One code for each replica. */
    private void codes(StreamValue map) throws MalformedFrameException {
        List<StreamValue> entries = ContentsReader.map(map, membership.n());
        Set<Integer> replicas = new HashSet<>();
        for (int i = 0; i < entries.size(); i += 2) {
            replicas.add(ContentsReader.integer(entries.get(i)));
            require(
                    ContentsReader.bytes(entries.get(i + 1)).length == HASH_BYTES,
                    RefusalReason.SHAPE,
                    "a code's length");
        }
        boolean all = replicas.size() == membership.n() && replicas.stream().allMatch(membership::contains);
        require(all, RefusalReason.SHAPE, "not one code for each replica");
    }

    /**
     * A proof that an instance decided a batch: enough second votes of different replicas. Other votes may be among
     * them, because a correct replica passes on what it got. Codes cannot be checked here: each replica can check only
     * its own.
     */
    void proof(StreamValue set, int number, byte[] hash) throws MalformedFrameException {
        Set<Integer> voters = new HashSet<>();
        for (StreamValue member : ContentsReader.set(set, 8 * membership.n())) {
            Message vote = message(member);
            boolean sound = vote.type() == MessageFactory.ACCEPT
                    && vote.number() == number
                    && membership.contains(vote.sender());
            require(sound, RefusalReason.SHAPE, "a vote in a proof");
            if (Arrays.equals(vote.value(), hash)) {
                voters.add(vote.sender());
            }
        }
        require(voters.size() >= 2 * membership.b() + 1, RefusalReason.SHAPE, "too few votes in a proof");
    }
}

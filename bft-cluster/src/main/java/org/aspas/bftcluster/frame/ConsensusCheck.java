package org.aspas.bftcluster.frame;

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

    private final Membership membership;
    private final Map<Value, Message> checked = new IdentityHashMap<>();

    /** One vote or proposal whose form is right. */
    record Message(int sender, int number, int epoch, int type, byte[] value) {}

    ConsensusCheck(Membership membership) {
        this.membership = membership;
    }

    Message message(Value object) throws Malformed {
        Message known = checked.get(object);
        if (known != null) {
            return known;
        }
        Parts parts = Parts.of(object, ConsensusMessage.class);
        ByteBuffer data = parts.data();
        Malformed.unless(data.remaining() >= HEAD_BYTES, Refusal.SHAPE, "a short consensus message");
        int sender = data.getInt();
        int number = data.getInt();
        int epoch = data.getInt();
        int type = data.getInt();
        Malformed.unless(data.getInt() == data.remaining() - 1, Refusal.SHAPE, "the length of a value");
        byte[] value = new byte[data.remaining() - 1];
        data.get(value);
        boolean proof = data.get() != 0;
        Malformed.unless(
                number >= 0 && epoch >= 0 && epoch <= MAX_EPOCH, Refusal.SHAPE, "the number of an instance or epoch");
        switch (type) {
            case MessageFactory.PROPOSE -> {
                Malformed.unless(epoch == 0 && !proof, Refusal.SHAPE, "a proposal with epoch or proof");
                BatchCheck.batch(value, membership.maxBatch(), membership);
            }
            case MessageFactory.WRITE ->
                Malformed.unless(value.length == HASH_BYTES && !proof, Refusal.SHAPE, "a first vote");
            case MessageFactory.ACCEPT -> {
                Malformed.unless(value.length == HASH_BYTES && proof, Refusal.SHAPE, "a second vote");
                codes(parts.next());
            }
            default -> throw new Malformed(Refusal.SHAPE, "a type of consensus message");
        }
        parts.end();
        Message result = new Message(sender, number, epoch, type, value);
        checked.put(object, result);
        return result;
    }

    /** One code for each replica. */
    private void codes(Value map) throws Malformed {
        List<Value> entries = Parts.map(map, membership.n());
        Set<Integer> replicas = new HashSet<>();
        for (int i = 0; i < entries.size(); i += 2) {
            replicas.add(Parts.integer(entries.get(i)));
            Malformed.unless(Parts.bytes(entries.get(i + 1)).length == HASH_BYTES, Refusal.SHAPE, "a code's length");
        }
        boolean all = replicas.size() == membership.n() && replicas.stream().allMatch(membership::contains);
        Malformed.unless(all, Refusal.SHAPE, "not one code for each replica");
    }

    /**
     * A proof that an instance decided a batch: enough second votes of different replicas. Other votes may be among
     * them, because a correct replica passes on what it got. Codes cannot be checked here: each replica can check only
     * its own.
     */
    void proof(Value set, int number, byte[] hash) throws Malformed {
        Set<Integer> voters = new HashSet<>();
        for (Value member : Parts.set(set, 8 * membership.n())) {
            Message vote = message(member);
            boolean sound = vote.type() == MessageFactory.ACCEPT
                    && vote.number() == number
                    && membership.contains(vote.sender());
            Malformed.unless(sound, Refusal.SHAPE, "a vote in a proof");
            if (Arrays.equals(vote.value(), hash)) {
                voters.add(vote.sender());
            }
        }
        Malformed.unless(voters.size() >= 2 * membership.b() + 1, Refusal.SHAPE, "too few votes in a proof");
    }
}

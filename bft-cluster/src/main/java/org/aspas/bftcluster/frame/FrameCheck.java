package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

import bftsmart.consensus.TimestampValuePair;
import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.CertifiedDecision;
import bftsmart.tom.leaderchange.CollectData;
import bftsmart.tom.leaderchange.LCMessage;
import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import bftsmart.tom.util.TOMUtil;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SignedObject;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges what a replica sends another: pure, total, and thread-safe.
 *
 * <p>A frame is the library's: a 4-byte length, that many bytes of a serialization stream, a byte that is 1, and a
 * 16-byte code. The code is left to the library, which alone has its key; who the peer is, its TLS key has proved.
 */
public final class FrameCheck {
    /** The code at the end of a frame, in bytes. */
    public static final int CODE_BYTES = ConsensusCheck.HASH_BYTES;

    /** The bytes of a frame that are not the stream. */
    public static final int OVERHEAD_BYTES = Integer.BYTES + 1 + CODE_BYTES;

    /** Where the name of the first class stands in a stream: after the header, two tags and its length. */
    private static final int FORWARD_AT = 2 * Short.BYTES + 2 + Short.BYTES;

    private static final byte[] FORWARD = ForwardedMessage.class.getName().getBytes(StandardCharsets.US_ASCII);

    private final ReplicaGroup membership;

    public FrameCheck(ReplicaGroup membership) {
        this.membership = membership;
    }

    /** Judges a whole frame, from its length field on, that the replica with index {@code peer} sent. */
    public FrameVerdict judge(int peer, byte[] frame) {
        try {
            return check(peer, stream(frame), frame.length);
        } catch (MalformedFrameException malformed) {
            return new FrameVerdict.Refused(malformed.reason(), String.valueOf(malformed.getMessage()));
        } catch (BufferUnderflowException tooShort) {
            return new FrameVerdict.Refused(RefusalReason.SHAPE, "too short");
        }
    }

    /** The vote in a frame, whoever cast it; empty when there is none in it. */
    public Optional<Vote> vote(byte[] frame) {
        try {
            ContentsReader parts = ContentsReader.of(StreamReader.read(stream(frame)));
            if (!(parts.next() instanceof StreamValue.Instance object) || !object.is(ConsensusMessage.class)) {
                return Optional.empty();
            }
            return Optional.ofNullable(vote(new ConsensusCheck(membership).message(object)));
        } catch (MalformedFrameException | BufferUnderflowException none) {
            return Optional.empty();
        }
    }

    private static @Nullable Vote vote(ConsensusCheck.Message message) {
        return message.type() == MessageFactory.PROPOSE
                ? null
                : new Vote(
                        message.type() == MessageFactory.ACCEPT,
                        message.number(),
                        message.epoch(),
                        ByteBuffer.wrap(message.value()).asReadOnlyBuffer());
    }

    /** The request that a frame passes on to the leader; empty when it does something else. */
    public Optional<byte[]> forwarded(byte[] frame) {
        if (!isForward(frame)) {
            return Optional.empty();
        }
        try {
            ContentsReader parts = ContentsReader.of(StreamReader.read(stream(frame)));
            return parts.next() instanceof StreamValue.Instance object && object.is(ForwardedMessage.class)
                    ? Optional.of(
                            request(ContentsReader.of(object.written()).data().position(Integer.BYTES)))
                    : Optional.empty();
        } catch (MalformedFrameException | BufferUnderflowException none) {
            return Optional.empty();
        }
    }

    /** Whether the first class that a frame names is that of a forwarded request: cheap, for every frame is asked. */
    private static boolean isForward(byte[] frame) {
        int from = Integer.BYTES + FORWARD_AT;
        return frame.length >= from + FORWARD.length
                && Arrays.equals(frame, from, from + FORWARD.length, FORWARD, 0, FORWARD.length);
    }

    private byte[] stream(byte[] frame) throws MalformedFrameException {
        require(
                frame.length > OVERHEAD_BYTES && frame.length <= membership.maxFrameBytes() + OVERHEAD_BYTES,
                RefusalReason.SIZE,
                "a frame's length");
        ByteBuffer in = ByteBuffer.wrap(frame);
        int length = in.getInt();
        require(length == frame.length - OVERHEAD_BYTES, RefusalReason.SIZE, "a frame that is not whole");
        byte[] stream = new byte[length];
        in.get(stream);
        require(in.get() == 1, RefusalReason.NO_MAC, "no code");
        return stream;
    }

    private FrameVerdict.Accepted check(int peer, byte[] stream, int bytes) throws MalformedFrameException {
        ContentsReader parts = ContentsReader.of(StreamReader.read(stream));
        StreamValue value = parts.next();
        parts.end();
        if (!(value instanceof StreamValue.Instance message)) {
            throw new MalformedFrameException(RefusalReason.NOT_A_MESSAGE, "no object");
        }
        if (message.is(ConsensusMessage.class)) {
            return consensus(peer, message, bytes);
        }
        if (message.is(LCMessage.class)) {
            return leaderChange(peer, message, bytes);
        }
        if (message.is(ForwardedMessage.class)) {
            return forward(peer, message, bytes);
        }
        return StateCheck.check(membership, message, peer, bytes);
    }

    private FrameVerdict.Accepted consensus(int peer, StreamValue.Instance object, int bytes)
            throws MalformedFrameException {
        ConsensusCheck.Message message = new ConsensusCheck(membership).message(object);
        require(message.sender() == peer, RefusalReason.SENDER, "a consensus message");
        FrameVerdict.Kind kind = switch (message.type()) {
            case MessageFactory.PROPOSE -> FrameVerdict.Kind.PROPOSE;
            case MessageFactory.WRITE -> FrameVerdict.Kind.WRITE;
            default -> FrameVerdict.Kind.ACCEPT;
        };
        return new FrameVerdict.Accepted(kind, message.number(), bytes, vote(message), null);
    }

    private FrameVerdict.Accepted leaderChange(int peer, StreamValue.Instance message, int bytes)
            throws MalformedFrameException {
        ContentsReader parts = ContentsReader.of(message.written());
        ByteBuffer head = parts.data(3 * Integer.BYTES);
        require(head.getInt() == peer, RefusalReason.SENDER, "a leader change message");
        int type = head.getInt();
        int regency = head.getInt();
        byte[] payload = parts.bytes();
        parts.end();
        FrameVerdict.Kind kind = new LeaderChangeCheck(membership).check(type, regency, peer, payload);
        return new FrameVerdict.Accepted(kind, regency, bytes);
    }

    private FrameVerdict.Accepted forward(int peer, StreamValue.Instance message, int bytes)
            throws MalformedFrameException {
        ContentsReader parts = ContentsReader.of(message.written());
        ByteBuffer data = parts.data();
        parts.end();
        require(data.getInt() == peer, RefusalReason.SENDER, "a forwarded request");
        byte[] request = request(data);
        return new FrameVerdict.Accepted(FrameVerdict.Kind.FORWARD, 0, bytes, null, request);
    }

    /** The rest of a forwarded request: its length, the request, and no signature. */
    private byte[] request(ByteBuffer data) throws MalformedFrameException {
        int length = data.getInt();
        require(length == data.remaining() - 1, RefusalReason.SHAPE, "the length of a forwarded request");
        BatchCheck.request(data.slice().limit(length), membership);
        byte[] request = new byte[length];
        data.get(request);
        require(data.get() == 0, RefusalReason.SHAPE, "a signed request");
        return request;
    }

    /**
     * Checks the messages of a change of leader, which carry streams inside streams. What the library does not check is
     * checked here: that a collect is signed, for this very regency, one per replica, and that a decision has its votes. Two
     * collects of one replica are never let through: the library counts collects, and with two of one liar it could take a
     * value as free that is decided.
     */
    private static final class LeaderChangeCheck {
        private static final int MAX_WRITES = 64;

        private final ReplicaGroup membership;
        private final ConsensusCheck consensus;

        LeaderChangeCheck(ReplicaGroup membership) {
            this.membership = membership;
            this.consensus = new ConsensusCheck(membership);
        }

        FrameVerdict.Kind check(int type, int regency, int sender, byte[] payload) throws MalformedFrameException {
            require(
                    regency >= 1 && regency <= ConsensusCheck.MAX_EPOCH,
                    RefusalReason.SHAPE,
                    "the number of a regency");
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
            require(
                    head.getInt() >= 0 && head.getInt() == regency,
                    RefusalReason.SHAPE,
                    "a collect of another regency");
            require(
                    written(parts.next()).length <= ConsensusCheck.HASH_BYTES,
                    RefusalReason.SHAPE,
                    "the hash of a quorum");
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

    /**
     * Checks the messages of state transfer. A state travels as one byte string, which {@code replica.StateTransfer} compares
     * between replicas and decodes; nothing else of the library's own form of a state may be in it.
     */
    private static final class StateCheck {
        private StateCheck() {}

        static FrameVerdict.Accepted check(ReplicaGroup membership, StreamValue object, int peer, int bytes)
                throws MalformedFrameException {
            ContentsReader parts = ContentsReader.of(object, StandardSMMessage.class);
            ByteBuffer head = parts.data(6 * Integer.BYTES);
            int sender = head.getInt();
            int senderAgain = head.getInt();
            require(sender == peer && senderAgain == peer, RefusalReason.SENDER, "a state message");
            int number = head.getInt();
            int type = head.getInt();
            int regency = head.getInt();
            int leader = head.getInt();
            StreamValue state = parts.next();
            require(parts.next() == StreamValue.Nil.NIL, RefusalReason.SHAPE, "a view");
            parts.data(Integer.BYTES);
            parts.end();
            require(number >= -1, RefusalReason.SHAPE, "the number of an instance");
            if (type == TOMUtil.SM_REPLY) {
                require(
                        regency >= 0 && regency <= ConsensusCheck.MAX_EPOCH && membership.contains(leader),
                        RefusalReason.SHAPE,
                        "the regency of a state");
                state(ContentsReader.instance(state, DefaultApplicationState.class));
                return new FrameVerdict.Accepted(FrameVerdict.Kind.STATE_REPLY, number, bytes);
            }
            require(state == StreamValue.Nil.NIL, RefusalReason.SHAPE, "a state nobody asked for");
            FrameVerdict.Kind kind = switch (type) {
                case TOMUtil.SM_REQUEST -> FrameVerdict.Kind.STATE_REQUEST;
                case TOMUtil.SM_ASK_INITIAL -> FrameVerdict.Kind.POSITION_REQUEST;
                case TOMUtil.SM_REPLY_INITIAL -> FrameVerdict.Kind.POSITION_REPLY;
                default -> throw new MalformedFrameException(RefusalReason.SHAPE, "a type of state message");
            };
            return new FrameVerdict.Accepted(kind, number, bytes);
        }

        private static void state(StreamValue.Instance state) throws MalformedFrameException {
            boolean plain = ContentsReader.field(state, "messageBatches") == StreamValue.Nil.NIL
                    && ContentsReader.field(state, "stateHash") == StreamValue.Nil.NIL
                    && ContentsReader.field(state, "logHash") == StreamValue.Nil.NIL;
            require(plain, RefusalReason.SHAPE, "a state with more than its bytes");
            StreamValue encoded = ContentsReader.field(state, "state");
            if (encoded != StreamValue.Nil.NIL) {
                ContentsReader.bytes(encoded);
            }
        }
    }

    /** Checks consensus messages, and the proofs that are made of them. */
    private static final class ConsensusCheck {
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
}

package org.aspas.bftcluster.frame;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.LCMessage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Judges what a replica sends another: pure, total, and thread-safe.
 *
 * <p>A frame is the library's: a 4-byte length, that many bytes of a serialization stream, a byte that is 1, and a
 * 16-byte code. The code is left to the library, which alone has its key; who the peer is, its TLS key has proved.
 */
public final class FrameCheck {
    /** The bytes of a frame that are not the stream. */
    public static final int OVERHEAD_BYTES = Integer.BYTES + 1 + ConsensusCheck.HASH_BYTES;

    private final Membership membership;

    /** Makes a check for one cluster. */
    public FrameCheck(Membership membership) {
        this.membership = membership;
    }

    /**
     * Judges a frame.
     *
     * @param peer the index of the replica that sent it
     * @param frame the whole frame, from its length field on
     */
    public Judgement judge(int peer, byte[] frame) {
        try {
            return check(peer, stream(frame), frame.length);
        } catch (Malformed malformed) {
            return new Judgement.Refused(malformed.reason(), String.valueOf(malformed.getMessage()));
        } catch (BufferUnderflowException tooShort) {
            return new Judgement.Refused(Refusal.SHAPE, "too short");
        }
    }

    /** The vote in a frame, whoever cast it; empty when there is none in it. */
    public Optional<Vote> vote(byte[] frame) {
        try {
            Parts parts = Parts.of(StreamReader.read(stream(frame)));
            if (!(parts.next() instanceof Value.Instance object) || !object.is(ConsensusMessage.class)) {
                return Optional.empty();
            }
            ConsensusCheck.Message message = new ConsensusCheck(membership).message(object);
            return message.type() == MessageFactory.PROPOSE
                    ? Optional.empty()
                    : Optional.of(new Vote(
                            message.type() == MessageFactory.ACCEPT,
                            message.number(),
                            message.epoch(),
                            ByteBuffer.wrap(message.value()).asReadOnlyBuffer()));
        } catch (Malformed | BufferUnderflowException none) {
            return Optional.empty();
        }
    }

    private byte[] stream(byte[] frame) throws Malformed {
        Malformed.unless(
                frame.length > OVERHEAD_BYTES && frame.length <= membership.maxFrameBytes() + OVERHEAD_BYTES,
                Refusal.SIZE,
                "a frame's length");
        ByteBuffer in = ByteBuffer.wrap(frame);
        int length = in.getInt();
        Malformed.unless(length == frame.length - OVERHEAD_BYTES, Refusal.SIZE, "a frame that is not whole");
        byte[] stream = new byte[length];
        in.get(stream);
        Malformed.unless(in.get() == 1, Refusal.NO_MAC, "no code");
        return stream;
    }

    private Judgement.Accepted check(int peer, byte[] stream, int bytes) throws Malformed {
        Parts parts = Parts.of(StreamReader.read(stream));
        Value value = parts.next();
        parts.end();
        if (!(value instanceof Value.Instance message)) {
            throw new Malformed(Refusal.NOT_A_MESSAGE, "no object");
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

    private Judgement.Accepted consensus(int peer, Value.Instance object, int bytes) throws Malformed {
        ConsensusCheck.Message message = new ConsensusCheck(membership).message(object);
        Malformed.unless(message.sender() == peer, Refusal.SENDER, "a consensus message");
        Judgement.Kind kind = switch (message.type()) {
            case MessageFactory.PROPOSE -> Judgement.Kind.PROPOSE;
            case MessageFactory.WRITE -> Judgement.Kind.WRITE;
            default -> Judgement.Kind.ACCEPT;
        };
        return new Judgement.Accepted(kind, message.number(), bytes);
    }

    private Judgement.Accepted leaderChange(int peer, Value.Instance message, int bytes) throws Malformed {
        Parts parts = Parts.of(message.written());
        ByteBuffer head = parts.data(3 * Integer.BYTES);
        Malformed.unless(head.getInt() == peer, Refusal.SENDER, "a leader change message");
        int type = head.getInt();
        int regency = head.getInt();
        byte[] payload = parts.bytes();
        parts.end();
        Judgement.Kind kind = new LeaderChangeCheck(membership).check(type, regency, peer, payload);
        return new Judgement.Accepted(kind, regency, bytes);
    }

    private static Judgement.Accepted forward(int peer, Value.Instance message, int bytes) throws Malformed {
        Parts parts = Parts.of(message.written());
        ByteBuffer data = parts.data();
        parts.end();
        Malformed.unless(data.getInt() == peer, Refusal.SENDER, "a forwarded request");
        int length = data.getInt();
        Malformed.unless(length == data.remaining() - 1, Refusal.SHAPE, "the length of a forwarded request");
        BatchCheck.request(data.slice().limit(length));
        Malformed.unless(data.get(data.limit() - 1) == 0, Refusal.SHAPE, "a signed request");
        return new Judgement.Accepted(Judgement.Kind.FORWARD, 0, bytes);
    }
}

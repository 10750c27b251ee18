package org.aspas.bftcluster.frame;

import bftsmart.consensus.messages.ConsensusMessage;
import bftsmart.consensus.messages.MessageFactory;
import bftsmart.tom.core.messages.ForwardedMessage;
import bftsmart.tom.leaderchange.LCMessage;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
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
            return Optional.ofNullable(vote(new ConsensusCheck(membership).message(object)));
        } catch (Malformed | BufferUnderflowException none) {
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
            Parts parts = Parts.of(StreamReader.read(stream(frame)));
            return parts.next() instanceof Value.Instance object && object.is(ForwardedMessage.class)
                    ? Optional.of(request(Parts.of(object.written()).data().position(Integer.BYTES)))
                    : Optional.empty();
        } catch (Malformed | BufferUnderflowException none) {
            return Optional.empty();
        }
    }

    /** Whether the first class that a frame names is that of a forwarded request: cheap, for every frame is asked. */
    private static boolean isForward(byte[] frame) {
        int from = Integer.BYTES + FORWARD_AT;
        return frame.length >= from + FORWARD.length
                && Arrays.equals(frame, from, from + FORWARD.length, FORWARD, 0, FORWARD.length);
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
        return new Judgement.Accepted(kind, message.number(), bytes, vote(message), null);
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

    private Judgement.Accepted forward(int peer, Value.Instance message, int bytes) throws Malformed {
        Parts parts = Parts.of(message.written());
        ByteBuffer data = parts.data();
        parts.end();
        Malformed.unless(data.getInt() == peer, Refusal.SENDER, "a forwarded request");
        byte[] request = request(data);
        return new Judgement.Accepted(Judgement.Kind.FORWARD, 0, bytes, null, request);
    }

    /** The rest of a forwarded request: its length, the request, and no signature. */
    private byte[] request(ByteBuffer data) throws Malformed {
        int length = data.getInt();
        Malformed.unless(length == data.remaining() - 1, Refusal.SHAPE, "the length of a forwarded request");
        BatchCheck.request(data.slice().limit(length), membership);
        byte[] request = new byte[length];
        data.get(request);
        Malformed.unless(data.get() == 0, Refusal.SHAPE, "a signed request");
        return request;
    }
}

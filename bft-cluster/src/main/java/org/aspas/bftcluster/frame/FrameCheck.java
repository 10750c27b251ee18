package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

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
}

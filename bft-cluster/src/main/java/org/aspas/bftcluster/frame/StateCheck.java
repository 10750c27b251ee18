package org.aspas.bftcluster.frame;

import static org.aspas.bftcluster.frame.MalformedFrameException.require;

import bftsmart.statemanagement.strategy.StandardSMMessage;
import bftsmart.tom.server.defaultservices.DefaultApplicationState;
import bftsmart.tom.util.TOMUtil;
import java.nio.ByteBuffer;

/**
 * Checks the messages of state transfer. A state travels as one byte string, which {@code replica.StateTransfer} compares
 * between replicas and decodes; nothing else of the library's own form of a state may be in it.
 */
final class StateCheck {
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

package org.aspas.bftcluster.frame;

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

    static Judgement.Accepted check(Membership membership, Value object, int peer, int bytes) throws Malformed {
        Parts parts = Parts.of(object, StandardSMMessage.class);
        ByteBuffer head = parts.data(6 * Integer.BYTES);
        int sender = head.getInt();
        int senderAgain = head.getInt();
        Malformed.unless(sender == peer && senderAgain == peer, Refusal.SENDER, "a state message");
        int number = head.getInt();
        int type = head.getInt();
        int regency = head.getInt();
        int leader = head.getInt();
        Value state = parts.next();
        Malformed.unless(parts.next() == Value.Nil.NIL, Refusal.SHAPE, "a view");
        parts.data(Integer.BYTES);
        parts.end();
        Malformed.unless(number >= -1, Refusal.SHAPE, "the number of an instance");
        if (type == TOMUtil.SM_REPLY) {
            Malformed.unless(
                    regency >= 0 && regency <= ConsensusCheck.MAX_EPOCH && membership.contains(leader),
                    Refusal.SHAPE,
                    "the regency of a state");
            state(Parts.instance(state, DefaultApplicationState.class));
            return new Judgement.Accepted(Judgement.Kind.STATE_REPLY, number, bytes);
        }
        Malformed.unless(state == Value.Nil.NIL, Refusal.SHAPE, "a state nobody asked for");
        Judgement.Kind kind = switch (type) {
            case TOMUtil.SM_REQUEST -> Judgement.Kind.STATE_REQUEST;
            case TOMUtil.SM_ASK_INITIAL -> Judgement.Kind.POSITION_REQUEST;
            case TOMUtil.SM_REPLY_INITIAL -> Judgement.Kind.POSITION_REPLY;
            default -> throw new Malformed(Refusal.SHAPE, "a type of state message");
        };
        return new Judgement.Accepted(kind, number, bytes);
    }

    private static void state(Value.Instance state) throws Malformed {
        boolean plain = Parts.field(state, "messageBatches") == Value.Nil.NIL
                && Parts.field(state, "stateHash") == Value.Nil.NIL
                && Parts.field(state, "logHash") == Value.Nil.NIL;
        Malformed.unless(plain, Refusal.SHAPE, "a state with more than its bytes");
        Value encoded = Parts.field(state, "state");
        if (encoded != Value.Nil.NIL) {
            Parts.bytes(encoded);
        }
    }
}

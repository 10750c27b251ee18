package org.aspas.client.api;

import org.aspas.certify.message.Refusal;
import org.aspas.client.core.port.Check;
import org.aspas.client.core.port.Failure;
import org.jspecify.annotations.Nullable;

/** Why a call, or the client as a whole, failed; the message is one sentence for people. */
@SuppressWarnings("serial") // Nobody keeps one.
public abstract sealed class AspasException extends RuntimeException {
    private AspasException(String message) {
        super(message, null, false, false);
    }

    /** The exception for a failure. */
    static AspasException of(Failure failure) {
        if (failure instanceof Failure.Refused refused) {
            return new Refused(refused);
        } else if (failure instanceof Failure.NotVerified wrong) {
            return new VerificationFailed(wrong);
        } else if (failure instanceof Failure.Invalid) {
            return new InvalidCall(failure.sentence());
        } else if (failure instanceof Failure.Overflow) {
            return new TooMuchPending(failure.sentence());
        } else if (failure instanceof Failure.WrongServer) {
            return new WrongServer(failure.sentence());
        } else if (failure instanceof Failure.TimedOut) {
            return new TimedOut(failure.sentence());
        } else if (failure instanceof Failure.Unreachable) {
            return new Unreachable(failure.sentence());
        } else if (failure instanceof Failure.Closed) {
            return new ClientClosed(failure.sentence());
        }
        return new ClientBroken(failure.sentence());
    }

    /** The exception for an update that may take effect all the same. */
    static AspasException mayTakeEffect(Failure why) {
        return why instanceof Failure.Closed || why instanceof Failure.Unreachable || why instanceof Failure.WrongServer
                ? of(why)
                : new MayTakeEffect(why);
    }

    /** The server refused, without proof. */
    public static final class Refused extends AspasException {
        private final Refusal.Reason reason;

        private Refused(Failure.Refused failure) {
            super(failure.sentence());
            this.reason = failure.reason();
        }

        /** Why, for programs. */
        public Refusal.Reason reason() {
            return reason;
        }
    }

    /**
     * An update did not go well, and may have taken effect, or may yet: the client goes on with it, under the same number,
     * until it is confirmed or the client ends. Whoever calls again may get the effect twice.
     */
    public static final class MayTakeEffect extends AspasException {
        private final transient Failure why;

        private MayTakeEffect(Failure why) {
            super("the update may take effect all the same: " + why.sentence());
            this.why = why;
        }

        /** What did not go well; null in an exception that was serialized. */
        public @Nullable Failure why() {
            return why;
        }
    }

    /** A check of what the server sent failed; an update may still have taken effect. */
    public static final class VerificationFailed extends AspasException {
        private final Check check;

        private VerificationFailed(Failure.NotVerified failure) {
            super(failure.sentence());
            this.check = failure.check();
        }

        /** Which check failed. */
        public Check check() {
            return check;
        }
    }

    /** The call is malformed; nothing was sent. */
    public static final class InvalidCall extends AspasException {
        private InvalidCall(String message) {
            super(message);
        }
    }

    /** A bound of the client is reached; nothing was sent. */
    public static final class TooMuchPending extends AspasException {
        private TooMuchPending(String message) {
            super(message);
        }
    }

    /** The server is of another deployment than the descriptor, or is another server. The client has ended. */
    public static final class WrongServer extends AspasException {
        private WrongServer(String message) {
            super(message);
        }
    }

    /** No answer to a read came in time. */
    public static final class TimedOut extends AspasException {
        private TimedOut(String message) {
            super(message);
        }
    }

    /** The server could not be reached in the number of attempts allowed. The client has ended. */
    public static final class Unreachable extends AspasException {
        private Unreachable(String message) {
            super(message);
        }
    }

    /** The client was closed; an update may still have taken effect. */
    public static final class ClientClosed extends AspasException {
        private ClientClosed(String message) {
            super(message);
        }
    }

    /** The client has ended because of its own defect or because its record cannot be written. */
    public static final class ClientBroken extends AspasException {
        private ClientBroken(String message) {
            super(message);
        }
    }
}

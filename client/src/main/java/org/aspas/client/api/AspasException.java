package org.aspas.client.api;

import java.util.Optional;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.port.Check;
import org.aspas.client.core.port.Failure;
import org.jspecify.annotations.Nullable;

/**
 * Why a call, or the client as a whole, failed. The message is one sentence for people: what was called, and what went wrong. The
 * stack trace shows where the library found out. {@link #in} finds it in what a stage wraps around it.
 */
@SuppressWarnings("serial") // Nobody keeps one.
public abstract sealed class AspasException extends RuntimeException {
    private AspasException(String message) {
        super(message);
    }

    /**
     * Finds the exception of this library in what a {@link java.util.concurrent.CompletionStage} or a Future throws.
     *
     * @return the first one among a failure and its causes, or empty
     */
    public static Optional<AspasException> in(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AspasException ours) {
                return Optional.of(ours);
            }
        }
        return Optional.empty();
    }

    static AspasException of(Failure failure, @Nullable Throwable cause) {
        return because(made("", failure), cause);
    }

    static AspasException of(String call, Failure failure) {
        return made(call + ": ", failure);
    }

    static AspasException of(String call, Failure failure, @Nullable Throwable cause) {
        return because(made(call + ": ", failure), cause);
    }

    private static AspasException because(AspasException made, @Nullable Throwable cause) {
        if (cause != null) {
            made.initCause(cause);
        }
        return made;
    }

    private static AspasException made(String before, Failure failure) {
        String sentence = before + failure.sentence();
        if (failure instanceof Failure.Refused refused) {
            return new Refused(sentence, refused.reason(), refused.detail());
        } else if (failure instanceof Failure.NotVerified wrong) {
            return new VerificationFailed(sentence, wrong.check());
        } else if (failure instanceof Failure.Invalid) {
            return new InvalidCall(sentence);
        } else if (failure instanceof Failure.Overflow) {
            return new TooMuchPending(sentence);
        } else if (failure instanceof Failure.WrongServer) {
            return new WrongServer(sentence);
        } else if (failure instanceof Failure.TimedOut || failure instanceof Failure.Unconfirmed) {
            return new TimedOut(sentence);
        } else if (failure instanceof Failure.Unreachable) {
            return new Unreachable(sentence);
        } else if (failure instanceof Failure.Closed) {
            return new ClientClosed(sentence);
        }
        return new ClientBroken(sentence);
    }

    static AspasException invalid(String call, String fault) {
        return of(call, new Failure.Invalid(fault));
    }

    /**
     * Returns an argument that must not be null.
     *
     * @param name what the argument is, such as {@code the listener}
     * @throws InvalidCall when it is null
     */
    static <T> T given(@Nullable T argument, String call, String name) {
        if (argument == null) {
            throw invalid(call, name + " is null");
        }
        return argument;
    }

    static AspasException mayTakeEffect(String call, Failure why) {
        return why instanceof Failure.Closed || why instanceof Failure.Unreachable || why instanceof Failure.WrongServer
                ? of(call, why)
                : new MayTakeEffect(call, why);
    }

    /** A verified value of another kind than its datatype has, or than the caller asked for. */
    static AspasException unexpected(String what) {
        return new UnexpectedValue(what);
    }

    /** The server refused, without proof. */
    public static final class Refused extends AspasException {
        private final Refusal.Reason reason;
        private final String detail;

        private Refused(String message, Refusal.Reason reason, String detail) {
            super(message);
            this.reason = reason;
            this.detail = detail;
        }

        public Refusal.Reason reason() {
            return reason;
        }

        /** Why, for people: what the server says, and of another datatype what is wrong, such as {@code k is a set, not a counter}. */
        public String detail() {
            return detail;
        }
    }

    /**
     * An update did not go well, and may have taken effect, or may yet: the client goes on with it, under the same number,
     * until it is confirmed or the client ends. Whoever calls again may get the effect twice.
     */
    public static final class MayTakeEffect extends AspasException {
        private final transient Failure why;

        private MayTakeEffect(String call, Failure why) {
            super(call + " may take effect all the same: " + why.sentence());
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

        private VerificationFailed(String message, Check check) {
            super(message);
            this.check = check;
        }

        public Check check() {
            return check;
        }
    }

    /**
     * The call is malformed, and nothing was sent. Every method of a client and of its handles throws it at the call, so that nothing
     * wrong of the application's reaches the client; only an update whose signed request is longer than the deployment
     * takes fails with it later.
     */
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

    /** No answer came in time: to a read, or to an update that was not signed yet and never takes effect. */
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

    /** A verified value is of another kind than the caller asked for, such as a number in a set that was read as texts. */
    public static final class UnexpectedValue extends AspasException {
        private UnexpectedValue(String message) {
            super(message);
        }
    }
}

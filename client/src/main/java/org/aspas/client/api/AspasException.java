package org.aspas.client.api;

import java.util.Optional;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.Check;
import org.aspas.client.core.Failure;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a call, or the client as a whole, failed. The message is one sentence for people that says what was called and what
 * went wrong. The stack trace shows where the library detected the failure. Stages wrap their exceptions; {@link #in} unwraps them.
 */
@SuppressWarnings("serial") // Nobody keeps one.
public abstract sealed class AspasException extends RuntimeException {
    private AspasException(String message) {
        super(message);
    }

    /**
     * Finds this library's exception in the failure of a {@link java.util.concurrent.CompletionStage} or a {@link
     * java.util.concurrent.Future}.
     *
     * @return the first one in the chain of causes, starting with the failure itself; empty if there is none
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

    /** Makes the exception for a verified value whose kind is not that of its datatype, or not the one that the caller asked for. */
    static AspasException unexpected(String what) {
        return new UnexpectedValue(what);
    }

    /** The server refused the call. The refusal carries no proof, so it may be wrong. */
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

        /** Returns the explanation for people: the server's own, or for another datatype one such as {@code k is a set, not a counter}. */
        public String detail() {
            return detail;
        }
    }

    /**
     * An update failed but may have taken effect, or may still do so: the client keeps sending it under the same number until it is
     * confirmed or the client ends. An application that calls again may get the effect twice.
     */
    public static final class MayTakeEffect extends AspasException {
        private final transient Failure why;

        private MayTakeEffect(String call, Failure why) {
            super(call + " may take effect all the same: " + why.sentence());
            this.why = why;
        }

        /** Returns the failure; null in an exception that was serialized. */
        public @Nullable Failure why() {
            return why;
        }
    }

    /** The server's message failed a check; an update may still have taken effect. */
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
     * The call is malformed, and nothing was sent. The methods of a client and of its handles throw this immediately. The one exception
     * is an update whose signed request exceeds the deployment's limit: its stages fail with it later.
     */
    public static final class InvalidCall extends AspasException {
        private InvalidCall(String message) {
            super(message);
        }
    }

    /** The call would exceed one of the client's bounds ({@link ClientOptions#withBounds}); nothing was sent. */
    public static final class TooMuchPending extends AspasException {
        private TooMuchPending(String message) {
            super(message);
        }
    }

    /** The server belongs to another deployment than the descriptor's, or is not the server with this index. The client has ended. */
    public static final class WrongServer extends AspasException {
        private WrongServer(String message) {
            super(message);
        }
    }

    /** A read was not answered in time, or an update was withdrawn before it was signed, so that it never takes effect. */
    public static final class TimedOut extends AspasException {
        private TimedOut(String message) {
            super(message);
        }
    }

    /** All allowed attempts to connect failed ({@link ClientOptions#withConnectAttempts}). The client has ended. */
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

    /** The client has ended, because of a defect of its own or because its record cannot be written. */
    public static final class ClientBroken extends AspasException {
        private ClientBroken(String message) {
            super(message);
        }
    }

    /** A verified value has another kind than the caller asked for, such as an integer in a set that was read as texts. */
    public static final class UnexpectedValue extends AspasException {
        private UnexpectedValue(String message) {
            super(message);
        }
    }
}

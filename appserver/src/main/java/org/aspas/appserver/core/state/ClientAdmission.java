package org.aspas.appserver.core.state;

import java.util.Optional;
import java.util.function.Predicate;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.ClientQuestion;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotPull;

/**
 * What a client may send to an appserver, as far as the frame alone says. A shell asks before it burdens the core, and the core
 * asks again; a signature that was verified is remembered with the message, so that the second time costs nothing.
 *
 * <p>A client sends a {@link Read}, a {@link GetCertificate} or a {@link SnapshotPull} without a signature. It signs what is to be entered, a {@link
 * ClientSigned} of a bounded length, and a {@link ClientQuestion}. Thread-safe.
 */
public final class ClientAdmission {
    private final Verifier verifier;
    private final Predicate<ClientId> admits;
    private final int maxRequestBytes;
    private final boolean tagged;

    /**
     * The admission of one deployment.
     *
     * @param admits whether a client may take part; it may be true for a shell that leaves this to the core
     * @param maxRequestBytes how long the payload of what is to be entered may be
     * @param tagged whether the deployment has tags
     */
    public ClientAdmission(Verifier verifier, Predicate<ClientId> admits, int maxRequestBytes, boolean tagged) {
        this.verifier = verifier;
        this.admits = admits;
        this.maxRequestBytes = maxRequestBytes;
        this.tagged = tagged;
    }

    /** Whether a frame is of a kind that clients send. A connection on which another one comes is ended. */
    public static boolean fromClient(Frame frame) {
        if (frame instanceof Frame.Plain plain) {
            Message message = plain.message();
            return message instanceof Read || message instanceof GetCertificate || message instanceof SnapshotPull;
        }
        return signer(((Frame.Sealed) frame).signed().message()).isPresent();
    }

    private static Optional<ClientId> signer(Message message) {
        if (message instanceof ClientSigned body) {
            return Optional.of(body.client());
        }
        return message instanceof ClientQuestion question ? Optional.of(question.client()) : Optional.empty();
    }

    public Optional<Refusal> refusal(Frame frame) {
        if (!fromClient(frame)) {
            return Optional.of(
                    new Refusal(0, false, Reason.MALFORMED, "this message is not for an appserver's client port"));
        }
        return frame instanceof Frame.Sealed sealed ? refusal(sealed.signed()) : Optional.empty();
    }

    private Optional<Refusal> refusal(Signed<? extends Message> signed) {
        Message message = signed.message();
        ClientId client = signer(message).orElseThrow(() -> new IllegalStateException("no client signs " + message));
        if (!admits.test(client)) {
            return Optional.of(refusal(message, Reason.UNKNOWN_CLIENT, "this deployment does not admit the client"));
        }
        if (message instanceof ClientSigned && signed.payload().length > maxRequestBytes) {
            return Optional.of(refusal(message, Reason.TOO_LARGE, "the request is longer than the limit"));
        }
        if (message instanceof OpenSession open && open.share() != null && !tagged) {
            return Optional.of(refusal(message, Reason.MALFORMED, "this deployment has no tags, and no shares"));
        }
        return signed.verify(verifier, client.key(), Sealer.domainOf(message))
                ? Optional.empty()
                : Optional.of(refusal(message, Reason.BAD_SIGNATURE, "the client's signature is wrong"));
    }

    /** The refusal of a message that a client signs: it names the request by its number, and a question by its nonce. */
    public static Refusal refusal(Message message, Reason reason, String detail) {
        if (message instanceof ClientQuestion question) {
            return new Refusal(question.nonce(), true, reason, detail);
        }
        return message instanceof Request request
                ? new Refusal(request.client(), request.number(), false, reason, detail)
                : new Refusal(0, false, reason, detail);
    }
}

package org.aspas.client.core.port;

import org.aspas.certify.wire.Certificate;

/** What a client tells the application unasked. */
public sealed interface Notice {
    /** The server has answered the session record; from now on it knows the client's τ. */
    record SessionOpened(long session, long tolerance) implements Notice {}

    /** The connection is gone; the client makes a new one unless it has ended. */
    record Disconnected(String reason) implements Notice {}

    /** A newer certificate was verified. */
    record CertificateAdvanced(Certificate certificate) implements Notice {}

    /** A check failed; the update or read concerned, if there is one, fails with the same words. */
    record VerificationFailed(Check check, String detail) implements Notice {}

    /** The server sent what is no message for a client, or refused the frame as a whole. */
    record ProtocolBroken(String detail) implements Notice {}
}

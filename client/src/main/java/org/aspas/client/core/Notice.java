package org.aspas.client.core;

import org.aspas.certify.wire.Certificate;

/** A notice about a client's connection, certificates or checks, for the application. All notices are immutable. */
public sealed interface Notice {
    /**
     * The server has opened the session, and knows the client's τ from now on.
     *
     * @param session the session's number
     * @param tolerance the τ of the session, in the values of {@code Tolerance}
     */
    record SessionOpened(long session, long tolerance) implements Notice {}

    /** The connection was lost; the client opens a new one unless it has ended. */
    record Disconnected(String reason) implements Notice {}

    /** The client verified a newer certificate. */
    record CertificateAdvanced(Certificate certificate) implements Notice {}

    /** A check of a server's message failed. The update or read concerned, if there is one, fails with the same check and detail. */
    record VerificationFailed(Check check, String detail) implements Notice {}

    /** The server sent a message that no client expects, or refused a whole frame. */
    record ProtocolBroken(String detail) implements Notice {}
}

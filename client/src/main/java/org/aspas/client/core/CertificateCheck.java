package org.aspas.client.core;

import org.aspas.certify.wire.Certificate;

/**
 * Verifies a certificate against the descriptor alone. The result depends on nothing but the certificate; an
 * implementation may remember results and be shared by many clients.
 */
@FunctionalInterface
public interface CertificateCheck {
    /** Verifies a certificate of any origin. */
    Verdict check(Certificate certificate);

    sealed interface Verdict {
        /** The content is genuine; this certificate, which may be an earlier instance, proves it. */
        record Genuine(Certificate certificate) implements Verdict {}

        record Wrong(String reason) implements Verdict {}
    }
}

package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.client.core.Failure.NotVerified;

/** Verifies a {@link ReadProof} offline, with only the keys of the descriptor and without trusting its source. Thread-safe. */
public final class ReadProofCheck {
    private ReadProofCheck() {}

    /**
     * Returns what is wrong with a proof; empty when 2b+1 bftservers certified exactly this value. The signature of the server that
     * answered is not verified, because it does not matter which server that was. The check cannot tell whether a later certificate
     * has another value.
     *
     * @param certificates verifies certificates of the deployment
     */
    public static Optional<String> check(ReadProof proof, CertificateCheck certificates) {
        Certificate certificate = proof.answer().certificate();
        ObjectProof path = proof.answer().proof();
        if (certificate == null || path == null) {
            return Optional.of("it has no certificate, or no proof");
        }
        if (certificates.check(certificate) instanceof CertificateCheck.Verdict.Wrong wrong) {
            return Optional.of(wrong.reason());
        }
        return ReadCheck.check(proof.read(), proof.value(), certificate, path).map(NotVerified::detail);
    }
}

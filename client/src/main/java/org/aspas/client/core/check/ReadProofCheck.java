package org.aspas.client.core.check;

import java.util.Optional;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.client.core.port.Failure.NotVerified;
import org.aspas.client.core.port.ReadProof;

/** Verifies a {@link ReadProof} with the keys of the descriptor alone: offline, and without trust in whoever gave it. */
public final class ReadProofCheck {
    private ReadProofCheck() {}

    /**
     * What is wrong with a proof, given what verifies certificates of the deployment; empty when 2b+1 bftservers certified exactly this value. Which server answered does not matter, so its signature is
     * not verified. That a later certificate has another value nothing here can tell.
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

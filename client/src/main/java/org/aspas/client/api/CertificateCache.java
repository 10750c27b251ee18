package org.aspas.client.api;

import java.util.Map;
import java.util.Optional;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.client.core.check.CertificateCheck;
import org.jspecify.annotations.Nullable;

/**
 * Verifies certificates and remembers the genuine ones by the hash of their content, so that many clients in one process
 * verify each certificate once. Thread-safe.
 */
final class CertificateCache {
    private static final int KEPT = 256;

    private final Map<Hash, Certificate> genuine = new BoundedMap<>(KEPT);

    /** The check of one deployment. A content hash names its deployment, so that deployments cannot be mixed up. */
    CertificateCheck check(Hash deployment, CertificateVerifier verifier) {
        return certificate -> {
            Hash hash = certificate.hash();
            Certificate known = get(hash);
            if (known != null && known.content().deployment().equals(deployment)) {
                return new CertificateCheck.Verdict.Genuine(known);
            }
            Optional<String> wrong = verifier.verify(certificate);
            if (wrong.isPresent()) {
                return new CertificateCheck.Verdict.Wrong(wrong.get());
            }
            put(hash, certificate);
            return new CertificateCheck.Verdict.Genuine(certificate);
        };
    }

    private synchronized @Nullable Certificate get(Hash hash) {
        return genuine.get(hash);
    }

    private synchronized void put(Hash hash, Certificate certificate) {
        genuine.put(hash, certificate);
    }
}

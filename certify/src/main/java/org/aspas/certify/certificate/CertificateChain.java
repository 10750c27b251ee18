package org.aspas.certify.certificate;

import java.util.Optional;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateContent;

/** The relation between certificates with consecutive numbers (the protocol page, docs/protocol.md §2). */
public final class CertificateChain {
    private CertificateChain() {}

    /**
     * Says why a certificate does not directly follow another. Both must have been verified on their own.
     *
     * @param previous the certificate that is held
     * @param next the candidate
     * @return the first reason found, or empty when the candidate follows: the number is one higher, it names the hash of
     *     the previous content, its version dominates the previous version, and no root changed without its component
     */
    public static Optional<String> wrong(Certificate previous, Certificate next) {
        if (next.number() - 1 != previous.number()) {
            return Optional.of("number " + next.number() + " does not follow " + previous.number());
        }
        if (!next.content().previous().equals(previous.hash())) {
            return Optional.of("certificate " + next.number() + " names another previous certificate");
        }
        return wrongVersion(previous.content(), next.content());
    }

    private static Optional<String> wrongVersion(CertificateContent previous, CertificateContent next) {
        if (previous.version().size() != next.version().size()) {
            return Optional.of("the versions have different sizes");
        }
        for (int origin = 0; origin < next.version().size(); origin++) {
            long before = previous.version().get(origin);
            long after = next.version().get(origin);
            if (after < before) {
                return Optional.of("the certified version of origin " + origin + " goes back");
            }
            if (after == before
                    && !next.roots().get(origin).equals(previous.roots().get(origin))) {
                return Optional.of("the root of origin " + origin + " changed without an entry");
            }
        }
        return next.exclusions().containsAll(previous.exclusions())
                ? Optional.empty()
                : Optional.of("an exclusion was lifted or changed");
    }
}

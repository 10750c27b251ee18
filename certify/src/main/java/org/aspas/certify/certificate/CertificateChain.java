package org.aspas.certify.certificate;

import java.util.Optional;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;

/** The relation between certificates with consecutive numbers (the protocol page, docs/protocol.md §2). */
public final class CertificateChain {
    /** Why a certificate does not directly follow another. */
    public enum Break {
        /** Its number is not one higher. */
        NUMBER,
        /** It names another previous content. */
        PREVIOUS,
        /** Its version is of another number of appservers. */
        SERVERS,
        VERSION_BACK,
        /** A root changed without an entry. */
        ROOT_CHANGED,
        /** An exclusion was lifted or changed. */
        EXCLUSION_CHANGED
    }

    private CertificateChain() {}

    /**
     * Says why a certificate does not directly follow another. Both must have been verified on their own.
     *
     * @return the first reason found, or empty when the candidate follows: the number is one higher, it names the hash of
     *     the previous content, its version dominates the previous version, and no root changed without its component
     */
    public static Optional<Break> wrong(Certificate previous, Certificate next) {
        if (!next.number().equals(previous.number().next())) {
            return Optional.of(Break.NUMBER);
        }
        if (!next.content().previous().equals(previous.hash())) {
            return Optional.of(Break.PREVIOUS);
        }
        return wrongVersion(previous.content(), next.content());
    }

    /**
     * Says why a certificate cannot come somewhere after another. Both must have been verified on their own.
     *
     * @param later the candidate, with any number of certificates between
     * @return the first reason found, or empty when nothing speaks against it
     */
    public static Optional<Break> wrongLater(Certificate previous, Certificate later) {
        return later.number().isAfter(previous.number())
                ? wrongVersion(previous.content(), later.content())
                : Optional.of(Break.NUMBER);
    }

    private static Optional<Break> wrongVersion(CertificateContent previous, CertificateContent next) {
        if (previous.version().size() != next.version().size()) {
            return Optional.of(Break.SERVERS);
        }
        for (int origin = 0; origin < next.version().size(); origin++) {
            long before = previous.version().get(origin);
            long after = next.version().get(origin);
            if (after < before) {
                return Optional.of(Break.VERSION_BACK);
            }
            if (after == before
                    && !next.roots().get(origin).equals(previous.roots().get(origin))) {
                return Optional.of(Break.ROOT_CHANGED);
            }
        }
        return next.exclusions().containsAll(previous.exclusions())
                ? Optional.empty()
                : Optional.of(Break.EXCLUSION_CHANGED);
    }
}

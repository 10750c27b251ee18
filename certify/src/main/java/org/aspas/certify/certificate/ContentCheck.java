package org.aspas.certify.certificate;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;

/** What can be said of a certificate's content without signatures. */
final class ContentCheck {
    private ContentCheck() {}

    static Optional<String> wrong(CertificateContent content, Hash deployment, int appservers) {
        if (!content.deployment().equals(deployment)) {
            return Optional.of("the deployment is another one");
        }
        if (CertificateNumber.FIRST.isAfter(content.number())) {
            return Optional.of("the number is below 1");
        }
        if (content.number().equals(CertificateNumber.FIRST)
                && !content.previous().equals(Hash.ZERO)) {
            return Optional.of("the first certificate names a previous one");
        }
        if (content.version().size() != appservers || content.roots().size() != appservers) {
            return Optional.of("the version or the roots are not of " + appservers + " appservers");
        }
        return wrongExclusions(content, appservers);
    }

    private static Optional<String> wrongExclusions(CertificateContent content, int appservers) {
        int last = -1;
        for (Exclusion exclusion : content.exclusions()) {
            if (exclusion.origin() <= last || exclusion.origin() >= appservers || exclusion.cut() < 0) {
                return Optional.of("the exclusions are out of order or out of range");
            }
            if (content.version().get(exclusion.origin()) != exclusion.cut()) {
                return Optional.of("origin " + exclusion.origin() + " is not certified up to its cut");
            }
            last = exclusion.origin();
        }
        return Optional.empty();
    }
}

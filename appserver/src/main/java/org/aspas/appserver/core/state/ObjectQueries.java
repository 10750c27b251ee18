package org.aspas.appserver.core.state;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateNumber;

/** What a machine tells its shell of objects, for people and monitoring. For the thread that drives it; changes nothing. */
public interface ObjectQueries {
    /** Of a machine that tells nothing. */
    ObjectQueries NONE = new ObjectQueries() {
        @Override
        public Optional<List<ObjectView>> pictures(List<String> keys) {
            return Optional.empty();
        }

        @Override
        public Optional<ObjectPage> page(CertificateNumber number, Hash from) {
            return Optional.empty();
        }
    };

    /** Some objects, in this order; empty when the server cannot vouch for its state. */
    Optional<List<ObjectView>> pictures(List<String> keys);

    /**
     * Objects of a certificate.
     *
     * @param number the certificate; none for the newest
     * @param from the path with which the page begins
     * @return the page; empty when the certificate is not remembered
     */
    Optional<ObjectPage> page(CertificateNumber number, Hash from);
}

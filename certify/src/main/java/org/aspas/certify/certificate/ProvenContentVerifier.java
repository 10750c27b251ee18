package org.aspas.certify.certificate;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Signed;

/**
 * Verifies that 2b+1 distinct bftservers accepted a content in one attempt (the protocol page, docs/protocol.md §5.5).
 * Thread-safe.
 */
public final class ProvenContentVerifier {
    private final Quorums quorums;
    private final List<PublicKey> bftservers;
    private final Verifier verifier;

    /**
     * A verifier for one deployment.
     *
     * @param bftservers the keys of the n bftservers in order of their index
     * @throws IllegalArgumentException when the number of keys is not n
     */
    public ProvenContentVerifier(Quorums quorums, List<PublicKey> bftservers, Verifier verifier) {
        if (bftservers.size() != quorums.bftservers()) {
            throw new IllegalArgumentException(bftservers.size() + " keys of " + quorums.bftservers() + " bftservers");
        }
        this.quorums = quorums;
        this.bftservers = List.copyOf(bftservers);
        this.verifier = verifier;
    }

    /** Says what is wrong with a proof, which may be anything: the first reason found, or empty when it is valid. */
    public Optional<String> wrong(ProvenContent proven) {
        Optional<String> content = ContentCheck.wrong(proven.content(), verifier.deployment(), quorums.appservers());
        if (content.isPresent()) {
            return content;
        }
        boolean same = Codec.decode(proven.payload(), CertificateContent.class)
                .accepted()
                .filter(proven.content()::equals)
                .isPresent();
        return same ? wrongAccepts(proven) : Optional.of("the payload is not the content's encoding");
    }

    private Optional<String> wrongAccepts(ProvenContent proven) {
        if (proven.attempt() < 1 || proven.accepts().size() < quorums.bftserverQuorum()) {
            return Optional.of(proven.accepts().size() + " accepts where " + quorums.bftserverQuorum() + " are needed");
        }
        int last = -1;
        for (Signed<Accept> signed : proven.accepts()) {
            Accept accept = signed.message();
            if (accept.replica() <= last || accept.replica() >= bftservers.size()) {
                return Optional.of("the accepts are not in order of distinct replicas");
            }
            last = accept.replica();
            boolean names = accept.number().equals(proven.number())
                    && accept.attempt() == proven.attempt()
                    && accept.content().equals(proven.hash());
            if (!names || !signed.verify(verifier, bftservers.get(last), Domain.ACCEPT)) {
                return Optional.of("the accept of replica " + last + " is of something else or not signed by it");
            }
        }
        return Optional.empty();
    }
}

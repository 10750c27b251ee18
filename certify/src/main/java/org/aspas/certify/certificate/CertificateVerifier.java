package org.aspas.certify.certificate;

import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Signed;

/**
 * Verifies a certificate offline (the protocol page, docs/protocol.md §2): its content is of this deployment and
 * consistent in itself, the payload is the encoding of the content, and at least 2b+1 distinct bftservers signed exactly
 * that payload. Whether it follows a known certificate is {@link CertificateChain}'s question. Thread-safe.
 */
public final class CertificateVerifier {
    private final Quorums quorums;
    private final List<PublicKey> bftservers;
    private final Verifier verifier;

    /**
     * A verifier for one deployment.
     *
     * @param bftservers the keys of the n bftservers in order of their index
     * @throws IllegalArgumentException when the number of keys is not n
     */
    public CertificateVerifier(Quorums quorums, List<PublicKey> bftservers, Verifier verifier) {
        if (bftservers.size() != quorums.bftservers()) {
            throw new IllegalArgumentException(bftservers.size() + " keys of " + quorums.bftservers() + " bftservers");
        }
        this.quorums = quorums;
        this.bftservers = List.copyOf(bftservers);
        this.verifier = verifier;
    }

    /**
     * Says what is wrong with a certificate.
     *
     * @return the first reason found, or empty when the certificate is valid
     */
    public Optional<String> verify(Certificate certificate) {
        Optional<String> wrong = verifyContent(certificate.content());
        if (wrong.isPresent()) {
            return wrong;
        }
        boolean same = Codec.decode(certificate.payload(), CertificateContent.class)
                .accepted()
                .filter(certificate.content()::equals)
                .isPresent();
        return same ? verifySignatures(certificate) : Optional.of("the payload is not the content's encoding");
    }

    /** Says what is wrong with a content of itself, without any signature. */
    Optional<String> verifyContent(CertificateContent content) {
        return ContentCheck.wrong(content, verifier.deployment(), quorums.appservers());
    }

    /** Whether the bftserver with this index, which may be out of range, signed the payload as a certificate. */
    boolean signed(int replica, byte[] payload, byte[] signature) {
        return replica >= 0
                && replica < bftservers.size()
                && verifier.verify(bftservers.get(replica), Domain.CERTIFICATE, payload, signature);
    }

    /** As above for a share, which remembers that its signature is right. */
    boolean signed(int replica, Signed<CertificateContent> share) {
        return replica >= 0
                && replica < bftservers.size()
                && share.verify(verifier, bftservers.get(replica), Domain.CERTIFICATE);
    }

    int quorum() {
        return quorums.bftserverQuorum();
    }

    private Optional<String> verifySignatures(Certificate certificate) {
        List<ReplicaSignature> signatures = certificate.signatures();
        if (signatures.size() < quorum() || signatures.size() > bftservers.size()) {
            return Optional.of(signatures.size() + " signatures where " + quorum() + " are needed");
        }
        int last = -1;
        for (ReplicaSignature one : signatures) {
            if (one.replica() <= last) {
                return Optional.of("the signatures are not in order of distinct replicas");
            }
            last = one.replica();
            if (!signed(one.replica(), certificate.payload(), one.signature())) {
                return Optional.of("the signature of replica " + one.replica() + " is wrong");
            }
        }
        return Optional.empty();
    }
}

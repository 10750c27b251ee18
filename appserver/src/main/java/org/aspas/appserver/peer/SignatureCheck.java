package org.aspas.appserver.peer;

import java.util.List;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;

/**
 * Verifies what peers send signed, outside the core's thread. The core asks the same again, and of what is right finds most
 * remembered; what is wrong no correct peer sends, and the core never sees it. Batches are the {@link BatchOpener}'s, and
 * evidence, of which a peer has an allowance, is the core's. Thread-safe.
 */
final class SignatureCheck {
    private final Descriptor descriptor;
    private final VerifiedHeads verified;
    private final CertificateVerifier certificates;

    SignatureCheck(Descriptor descriptor, VerifiedHeads heads) {
        this.descriptor = descriptor;
        this.verified = heads;
        this.certificates =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
    }

    /** Whether all signatures in a frame of a peer that are to be verified here are right. */
    boolean genuine(NodeId peer, Frame frame) {
        if (frame instanceof Frame.Sealed sealed) {
            Signed<? extends Message> signed = sealed.signed();
            Message message = signed.message();
            boolean ours = message instanceof BftReqStable || message instanceof Blacklist;
            return !ours || signedBy(peer, signed, Sealer.domainOf(message));
        }
        Message message = ((Frame.Plain) frame).message();
        if (message instanceof Share share) {
            return peer.equals(new NodeId(Role.BFTSERVER, share.replica()))
                    && signedBy(peer, share.content(), Domain.CERTIFICATE);
        } else if (message instanceof Frontier frontier) {
            return genuine(frontier.heads());
        } else if (message instanceof CertificateReply reply) {
            Certificate certificate = reply.certificate();
            return certificate == null || certificates.verify(certificate).isEmpty();
        }
        return true;
    }

    private boolean genuine(List<Signed<Head>> heads) {
        return heads.size() <= descriptor.quorums().appservers()
                && heads.stream().allMatch(verified::genuine);
    }

    private boolean signedBy(NodeId node, Signed<? extends Message> signed, Domain domain) {
        return signed.verify(descriptor.verifier(), descriptor.node(node).key(), domain);
    }
}

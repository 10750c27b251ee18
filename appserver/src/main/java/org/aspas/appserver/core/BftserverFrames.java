package org.aspas.appserver.core;

import java.util.Optional;
import org.aspas.appserver.core.certification.Certification;
import org.aspas.appserver.core.complaint.EvidencePool;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;

/** Takes what bftservers send, and what other servers signed. For one thread. */
final class BftserverFrames {
    private final Certification certification;
    private final Adoption adoption;
    private final EvidencePool evidence;

    BftserverFrames(Certification certification, Adoption adoption, EvidencePool evidence) {
        this.certification = certification;
        this.adoption = adoption;
        this.evidence = evidence;
    }

    /** Takes a message of a bftserver; whether it is one that they send. */
    boolean message(NodeId from, Message message) {
        if (message instanceof Share share) {
            if (certification.share(from, share)) {
                adoption.certify();
            }
        } else if (message instanceof Evidence shown) {
            evidence.evidence(from, shown);
        } else {
            return false;
        }
        return true;
    }

    /** Takes a signed message of a server; whether it is one that they send. */
    boolean sealed(NodeId from, Signed<? extends Message> signed) {
        Optional<Signed<BftReqStable>> asked = signed.as(BftReqStable.class);
        Optional<Signed<Blacklist>> word = signed.as(Blacklist.class);
        if (asked.isPresent() && certification.request(from, asked.get())) {
            adoption.certify();
        }
        word.ifPresent(one -> evidence.word(from, one));
        return asked.isPresent() || word.isPresent();
    }
}

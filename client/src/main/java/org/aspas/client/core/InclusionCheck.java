package org.aspas.client.core;

import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Confirmation.Covered;
import org.aspas.certify.wire.Response;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;

/** Whether a verified certificate covers an update: its own leaf, at its own dot (the protocol page, §6). */
public final class InclusionCheck {
    private InclusionCheck() {}

    /** What is wrong with one item of a confirmation, given the answer to the update; empty when it is covered. */
    public static Optional<NotVerified> check(Certificate certificate, Covered covered, Response answer) {
        Dot dot = covered.dot();
        Hash leaf = answer.leaf();
        if (!dot.equals(answer.dot())) {
            return wrong("the confirmation of request " + covered.number() + " names dot " + dot + ", its answer "
                    + answer.dot());
        }
        if (SequenceNumbers.isLater(dot.sequence())) {
            return wrong("the confirmation names dot " + dot + ", of an incarnation that is not open");
        }
        CertificateContent content = certificate.content();
        InclusionProof proof = covered.proof();
        long size = content.version().get(dot.origin());
        if (dot.sequence() > size) {
            return wrong("certificate " + content.number() + " covers " + size + " entries of origin " + dot.origin()
                    + ", not " + dot);
        }
        boolean right = proof.treeSize() == size
                && proof.leafIndex() == dot.sequence() - 1
                && proof.verifies(leaf, content.roots().get(dot.origin()));
        return right
                ? Optional.empty()
                : wrong("request " + covered.number() + " is not proved to be at " + dot + " of certificate "
                        + content.number());
    }

    private static Optional<NotVerified> wrong(String detail) {
        return ResponseCheck.wrong(Check.INCLUSION, detail);
    }
}

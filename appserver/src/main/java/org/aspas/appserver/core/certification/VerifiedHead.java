package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.log.LogEdge;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.InclusionProof;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.SnapshotHead;

/**
 * A certificate with the ends of the logs that lead to its roots.
 *
 * @param certificate the certificate, whose signatures are right
 * @param ends the end of each origin's log at its version, by index
 * @param message what it came as
 */
public record VerifiedHead(Certificate certificate, List<LogEdge> ends, SnapshotHead message) {
    public VerifiedHead {
        ends = List.copyOf(ends);
    }

    /** Whether another head is of the same certificate. */
    boolean isOfTheSame(VerifiedHead other) {
        return certificate.hash().equals(other.certificate.hash());
    }

    /**
     * Compares a head with its certificate, whose signatures are right.
     *
     * @return empty when an end of a log is not the certified one
     */
    public static Optional<VerifiedHead> of(SnapshotHead head, Certificate certificate) {
        CertificateContent content = certificate.content();
        List<LogEdge> ends = new ArrayList<>();
        if (head.logs().size() != content.version().size()) {
            return Optional.empty();
        }
        for (int origin = 0; origin < head.logs().size(); origin++) {
            Optional<LogEdge> end = end(head.logs().get(origin), origin, content);
            if (end.isEmpty()) {
                return Optional.empty();
            }
            ends.add(end.get());
        }
        return Optional.of(new VerifiedHead(certificate, ends, head));
    }

    private static Optional<LogEdge> end(SnapshotHead.LogEnd end, int origin, CertificateContent content) {
        long size = content.version().get(origin);
        Hash root = content.roots().get(origin);
        boolean right = end.peaks().size() == Long.bitCount(size)
                && MerkleLog.after(size, end.peaks()).root().equals(root);
        BrokenEntry.Included last = end.last();
        if (!right || (last == null) != (size == 0)) {
            return Optional.empty();
        }
        if (last == null) {
            return Optional.of(new LogEdge(size, end.peaks(), null, null));
        }
        InclusionProof proof = last.proof();
        boolean included = proof.treeSize() == size
                && proof.leafIndex() == size - 1
                && proof.verifies(MerkleTree.leafHash(last.bytes()), root);
        return included
                ? Codec.decode(last.bytes(), Entry.class)
                        .accepted()
                        .filter(entry ->
                                entry.dot().origin() == origin && entry.dot().sequence() == size)
                        .filter(entry ->
                                entry.dependencies().size() == content.version().size())
                        .map(entry -> new LogEdge(size, end.peaks(), last, entry))
                : Optional.empty();
    }
}

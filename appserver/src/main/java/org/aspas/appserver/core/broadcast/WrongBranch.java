package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleBranch;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/**
 * What is kept of entries that were taken back because others of the same origin are certified in their places: the hashes
 * of their leaves and the origin's heads over them. With a head over what takes their places they prove the fork. Immutable.
 */
final class WrongBranch {
    /** So many leaves are kept; a head beyond them proves nothing any more. */
    private static final int MOST_LEAVES = 16_384;

    private final long kept;
    private final List<Hash> leaves;
    private final TreeMap<Long, Signed<Head>> heads;

    private WrongBranch(long kept, List<Hash> leaves, TreeMap<Long, Signed<Head>> heads) {
        this.kept = kept;
        this.leaves = leaves;
        this.heads = heads;
    }

    /** The end of a log after a place, which is about to be taken back; empty when its origin signed no head over it. */
    static Optional<WrongBranch> of(OriginLog log, long kept) {
        long end = Math.min(log.size(), kept + MOST_LEAVES);
        TreeMap<Long, Signed<Head>> heads = log.headsBetween(kept, end);
        if (heads.isEmpty()) {
            return Optional.empty();
        }
        List<Hash> leaves = new ArrayList<>();
        for (long sequence = kept + 1; sequence <= heads.lastKey(); sequence++) {
            leaves.add(log.leaf(sequence));
        }
        return Optional.of(new WrongBranch(kept, List.copyOf(leaves), heads));
    }

    /** Whether a log has the place where this left it: else it proves nothing with it. */
    boolean startsIn(OriginLog log) {
        return log.knowsRoot(kept) && log.knowsLeaf(kept + 1);
    }

    /** The proof that this and the log contradict each other, as soon as the log holds heads of its own over that place. */
    Optional<ForkedEntries> against(OriginLog log) {
        long end = Math.min(log.size(), kept + leaves.size());
        for (long sequence = kept + 1; sequence <= end; sequence++) {
            if (!log.leaf(sequence).equals(leaf(sequence))) {
                long place = sequence;
                return log.headOver(sequence)
                        .map(head -> new ForkedEntries(certified(log, head, place), own(log, place)));
            }
        }
        return Optional.empty();
    }

    private Hash leaf(long sequence) {
        return leaves.get((int) (sequence - kept - 1));
    }

    private static ForkedEntries.Branch certified(OriginLog log, Signed<Head> head, long sequence) {
        return new ForkedEntries.Branch(
                head, log.leaf(sequence), log.prove(sequence, head.message().size()));
    }

    private ForkedEntries.Branch own(OriginLog log, long sequence) {
        Map.Entry<Long, Signed<Head>> over = heads.ceilingEntry(sequence);
        if (over == null) {
            throw new IllegalStateException(
                    "no head over leaf " + sequence + " of a branch that ends at the last of them");
        }
        MerkleBranch branch = log.branch(kept, leaves.subList(0, (int) (over.getKey() - kept)));
        return new ForkedEntries.Branch(over.getValue(), leaf(sequence), branch.proveInclusion(sequence - 1));
    }
}

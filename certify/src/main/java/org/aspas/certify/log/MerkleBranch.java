package org.aspas.certify.log;

import java.util.List;
import java.util.Objects;
import org.aspas.certify.identity.Hash;

/**
 * The log that would be if other leaves followed a prefix of a log: its root, and inclusion proofs under that root. It
 * reads the log and leaves it as it is, and is of use only until the prefix changes; the root or a proof costs
 * O(leaves + log n) hashes, however long the prefix is. Not safe for use by several threads at once.
 */
public final class MerkleBranch {
    private final MerkleLog trunk;
    private final long kept;
    private final List<Hash> leaves;

    /**
     * A branch of a log.
     *
     * @param kept how many of its leaves are kept, from 0 to its size
     * @param leaves the hashes of the leaves that follow, in order; copied
     * @throws IndexOutOfBoundsException when the log has fewer leaves than are kept
     */
    public MerkleBranch(MerkleLog trunk, long kept, List<Hash> leaves) {
        Objects.checkFromToIndex(0, kept, trunk.size());
        this.trunk = trunk;
        this.kept = kept;
        this.leaves = List.copyOf(leaves);
    }

    /** The number of leaves, kept ones and those that follow. */
    public long size() {
        return kept + leaves.size();
    }

    /**
     * The hash of one leaf.
     *
     * @param index the leaf's position, counted from 0
     * @throws IndexOutOfBoundsException when the branch has no such leaf
     */
    public Hash leaf(long index) {
        return index < kept ? trunk.leaf(index) : leaves.get((int) Objects.checkIndex(index - kept, leaves.size()));
    }

    public Hash root() {
        return size() == 0 ? MerkleTree.EMPTY_ROOT : range(0, size());
    }

    /**
     * Proves that a leaf is in the branch (RFC 9162 §2.1.3.1).
     *
     * @return the proof, which verifies against {@code leaf(index)} and {@link #root}
     * @throws IndexOutOfBoundsException when the branch has no such leaf
     */
    public InclusionProof proveInclusion(long index) {
        Objects.checkIndex(index, size());
        return MerkleProofs.inclusion(this::range, index, size());
    }

    /** The root over a range of the RFC's recursion, which is not empty. */
    private Hash range(long begin, long end) {
        if (end <= kept) {
            return trunk.subtree(begin, end);
        }
        if (end - begin == 1) {
            return leaf(begin);
        }
        long middle = begin + MerkleProofs.split(end - begin);
        return MerkleTree.nodeHash(range(begin, middle), range(middle, end));
    }
}

package org.aspas.certify.log;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * The right edge of a Merkle tree: for every bit that is set in the size, the root of the complete subtree of that many
 * leaves. It is all that is needed to append leaves and know the root. Mutable, for one thread.
 */
final class MerkleFrontier {
    private final @Nullable Hash[] peaks = new @Nullable Hash[Long.SIZE];
    private long size;

    /** Creates the edge of a tree of a given size, whose peaks must then be {@link #set}. */
    MerkleFrontier(long size) {
        this.size = size;
    }

    /** Sets the peak over 2^level leaves. */
    void set(int level, Hash peak) {
        peaks[level] = peak;
    }

    void append(Hash leaf) {
        Hash subtree = leaf;
        int level = 0;
        while ((size >> level & 1) == 1) {
            subtree = MerkleTree.nodeHash(peak(level), subtree);
            peaks[level++] = null;
        }
        peaks[level] = subtree;
        size++;
    }

    Hash root() {
        @Nullable Hash root = null;
        for (Hash peak : peaks) {
            if (peak != null) {
                root = root == null ? peak : MerkleTree.nodeHash(peak, root);
            }
        }
        return root == null ? MerkleTree.EMPTY_ROOT : root;
    }

    private Hash peak(int level) {
        Hash peak = peaks[level];
        if (peak == null) {
            throw new IllegalStateException("no peak at level " + level + " of a tree of " + size + " leaves");
        }
        return peak;
    }
}

package org.aspas.certify.log;

import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * A claim that a leaf is at one position of a log, with the hashes that show it (RFC 9162 §2.1.3).
 *
 * <p>An instance may hold anything, for it can come from a stranger; only {@link #verifies} says whether it proves
 * something. It is immutable.
 *
 * @param leafIndex the position of the leaf, counted from 0
 * @param treeSize the number of leaves of the tree; compare it with the signed size that belongs to the root
 * @param path the sibling hashes from the leaf's sibling to the child of the root, which are copied
 */
public record InclusionProof(long leafIndex, long treeSize, List<Hash> path) {
    public InclusionProof {
        path = List.copyOf(path);
    }

    /**
     * Checks the claim (RFC 9162 §2.1.3.2).
     *
     * @param leaf the hash of the leaf, as {@link MerkleTree#leafHash} computes it
     * @return true when the leaf is at {@code leafIndex} of the tree with that root; false for every other input,
     *     including negative numbers and paths that are too long
     */
    public boolean verifies(Hash leaf, Hash root) {
        if (leafIndex < 0 || leafIndex >= treeSize || path.size() > MerkleTree.MAX_PATH) {
            return false;
        }
        long node = leafIndex;
        long last = treeSize - 1;
        Hash hash = leaf;
        for (Hash sibling : path) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                hash = MerkleTree.nodeHash(sibling, hash);
                // An unpaired node at the right edge rises without a hash until it is a right child.
                int rise = Long.numberOfTrailingZeros(node);
                node >>= rise;
                last >>= rise;
            } else {
                hash = MerkleTree.nodeHash(hash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && hash.equals(root);
    }
}

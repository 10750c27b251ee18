package org.aspas.certify.log;

import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * A claim that a log is a prefix of another, with the hashes that show it (RFC 9162 §2.1.4).
 *
 * <p>An instance may hold anything, for it can come from a stranger; only {@link #verifies} says whether it proves
 * something. It is immutable.
 *
 * @param path the hashes in the order of the RFC, which are copied; empty when the sizes are equal or the old one is 0
 */
public record ConsistencyProof(long oldSize, long newSize, List<Hash> path) {
    public ConsistencyProof {
        path = List.copyOf(path);
    }

    /**
     * Checks the claim (RFC 9162 §2.1.4.2).
     *
     * @return true when the log with the old root is a prefix of the log with the new root; false for every other
     *     input, including negative numbers and paths that are too long
     */
    public boolean verifies(Hash oldRoot, Hash newRoot) {
        if (oldSize < 0 || newSize < oldSize || path.size() > MerkleTree.MAX_PATH) {
            return false;
        }
        if (oldSize == newSize || oldSize == 0) {
            return path.isEmpty()
                    && (oldSize > 0 || oldRoot.equals(MerkleTree.EMPTY_ROOT))
                    && (oldSize < newSize || oldRoot.equals(newRoot));
        }
        // The old root is the first hash of the path when it is itself a node of the new tree.
        boolean whole = Long.bitCount(oldSize) == 1;
        if (!whole && path.isEmpty()) {
            return false;
        }
        Hash first = whole ? oldRoot : path.get(0);
        return climbs(first, whole ? path : path.subList(1, path.size()), oldRoot, newRoot);
    }

    private boolean climbs(Hash first, List<Hash> rest, Hash oldRoot, Hash newRoot) {
        int shared = Long.numberOfTrailingZeros(oldSize);
        long node = (oldSize - 1) >> shared;
        long last = (newSize - 1) >> shared;
        Hash oldHash = first;
        Hash newHash = first;
        for (Hash sibling : rest) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                oldHash = MerkleTree.nodeHash(sibling, oldHash);
                newHash = MerkleTree.nodeHash(sibling, newHash);
                int rise = Long.numberOfTrailingZeros(node);
                node >>= rise;
                last >>= rise;
            } else {
                newHash = MerkleTree.nodeHash(newHash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && oldHash.equals(oldRoot) && newHash.equals(newRoot);
    }
}

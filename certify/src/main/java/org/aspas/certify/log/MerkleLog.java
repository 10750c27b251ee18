package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * One append-only log as the Merkle tree of RFC 9162 §2.1, holding leaf hashes and not the entries.
 *
 * <p>The hash of every complete subtree is kept by level (level k has the subtrees of 2^k leaves), so that an append
 * costs O(1) hashes on average and the root and the proofs at any size up to the present one cost O(log n). A log of n
 * leaves keeps fewer than 2n hashes. It can hold 2^31 − 1 leaves at most.
 *
 * <p>A log is mutable and not safe for use by several threads at once.
 */
public final class MerkleLog {
    private final List<List<Hash>> levels = new ArrayList<>();

    /** Creates a log without entries. */
    public MerkleLog() {
        levels.add(new ArrayList<>());
    }

    /**
     * Appends an entry.
     *
     * @param entry the bytes of the entry, which are hashed and not kept
     * @return the hash of the new leaf
     */
    public Hash append(byte[] entry) {
        Hash leaf = MerkleTree.leafHash(entry);
        append(leaf);
        return leaf;
    }

    /**
     * Appends a leaf.
     *
     * @param leaf the hash of the leaf, as {@link MerkleTree#leafHash} computes it
     */
    public void append(Hash leaf) {
        Hash subtree = leaf;
        for (int level = 0; ; level++) {
            if (level == levels.size()) {
                levels.add(new ArrayList<>());
            }
            List<Hash> row = levels.get(level);
            row.add(subtree);
            if (row.size() % 2 == 1) {
                return;
            }
            subtree = MerkleTree.nodeHash(row.get(row.size() - 2), subtree);
        }
    }

    /**
     * Forgets the last leaves; costs no hashes, and time in proportion to what is forgotten.
     *
     * @param size how many leaves stay, from 0 to the present size
     * @throws IndexOutOfBoundsException when there are not so many
     */
    public void truncate(long size) {
        Objects.checkFromToIndex(0, size, size());
        for (int level = 0; level < levels.size(); level++) {
            List<Hash> row = levels.get(level);
            row.subList((int) (size >> level), row.size()).clear();
        }
    }

    /**
     * Returns the number of leaves.
     *
     * @return the size, 0 or more
     */
    public long size() {
        return levels.get(0).size();
    }

    /**
     * Returns the hash of one leaf.
     *
     * @param index the leaf's position, counted from 0
     * @return the leaf's hash
     * @throws IndexOutOfBoundsException when the log has no such leaf
     */
    public Hash leaf(long index) {
        return levels.get(0).get((int) Objects.checkIndex(index, size()));
    }

    /**
     * Returns the root of the whole log.
     *
     * @return the root at the present size
     */
    public Hash root() {
        return rootAt(size());
    }

    /**
     * Returns the root that the log had at some size.
     *
     * @param size from 0 to the present size
     * @return the root over the first {@code size} leaves
     * @throws IndexOutOfBoundsException when the log never had that size
     */
    public Hash rootAt(long size) {
        Objects.checkFromToIndex(0, size, size());
        return size == 0 ? MerkleTree.EMPTY_ROOT : subtree(0, size);
    }

    /**
     * Computes the root that the log would have after more leaves, and leaves the log as it is. A receiver compares it
     * with a signed head before it accepts a batch.
     *
     * @param leaves the hashes of the leaves that would follow, in order
     * @return the root at size {@code size() + leaves.size()}; costs O(leaves + log n) hashes
     */
    public Hash rootAfter(List<Hash> leaves) {
        MerkleFrontier frontier = new MerkleFrontier(size());
        for (int level = 0; level < levels.size(); level++) {
            if ((size() >> level & 1) == 1) {
                frontier.set(level, complete(level, size()));
            }
        }
        leaves.forEach(frontier::append);
        return frontier.root();
    }

    /**
     * Proves that a leaf is in the tree of some past or present size (RFC 9162 §2.1.3.1).
     *
     * @param index the leaf's position, counted from 0
     * @param treeSize the size of the tree that the proof is about, greater than the index
     * @return the proof, which verifies against {@code leaf(index)} and {@code rootAt(treeSize)}
     * @throws IndexOutOfBoundsException when the log never had that size or that tree has no such leaf
     */
    public InclusionProof proveInclusion(long index, long treeSize) {
        Objects.checkFromToIndex(0, treeSize, size());
        Objects.checkIndex(index, treeSize);
        List<Hash> path = new ArrayList<>();
        long begin = 0;
        long end = treeSize;
        while (end - begin > 1) {
            long middle = begin + split(end - begin);
            if (index < middle) {
                path.add(subtree(middle, end));
                end = middle;
            } else {
                path.add(subtree(begin, middle));
                begin = middle;
            }
        }
        Collections.reverse(path);
        return new InclusionProof(index, treeSize, path);
    }

    /**
     * Proves that the log at one size is a prefix of the log at another (RFC 9162 §2.1.4.1).
     *
     * @param oldSize the size of the shorter log, from 0 to {@code newSize}
     * @param newSize the size of the longer log, at most the present size
     * @return the proof, which verifies against {@code rootAt(oldSize)} and {@code rootAt(newSize)}
     * @throws IndexOutOfBoundsException when the sizes are not in order or the log never had them
     */
    public ConsistencyProof proveConsistency(long oldSize, long newSize) {
        Objects.checkFromToIndex(oldSize, newSize, size());
        List<Hash> path = new ArrayList<>();
        long begin = 0;
        long end = newSize;
        while (oldSize > 0 && end > oldSize) {
            long middle = begin + split(end - begin);
            if (oldSize <= middle) {
                path.add(subtree(middle, end));
                end = middle;
            } else {
                path.add(subtree(begin, middle));
                begin = middle;
            }
        }
        if (begin > 0) {
            path.add(subtree(begin, end));
        }
        Collections.reverse(path);
        return new ConsistencyProof(oldSize, newSize, path);
    }

    /** Returns the largest power of two smaller than a size of at least 2. */
    static long split(long size) {
        return Long.highestOneBit(size - 1);
    }

    /**
     * Returns the root over the leaves from begin to before end, for a range of the RFC's recursion: not empty, and
     * begin a multiple of the least power of two that is not smaller than the range.
     */
    Hash subtree(long begin, long end) {
        long length = end - begin;
        @Nullable Hash root = null;
        for (int level = 0; length >> level != 0; level++) {
            if ((length >> level & 1) == 1) {
                Hash peak = complete(level, end);
                root = root == null ? peak : MerkleTree.nodeHash(peak, root);
            }
        }
        if (root == null) {
            throw new IllegalStateException("empty range " + begin + ".." + end);
        }
        return root;
    }

    /** Returns the last complete subtree of 2^level leaves that lies before end. */
    private Hash complete(int level, long end) {
        return levels.get(level).get((int) (end >> level) - 1);
    }
}

package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * One append-only log as the Merkle tree of RFC 9162 §2.1, holding leaf hashes and not the entries.
 *
 * <p>The hash of every complete subtree is kept by level (level k has the subtrees of 2^k leaves), so that an append
 * costs O(1) hashes on average and the root and the proofs at any size up to the present one cost O(log n). A log of n
 * leaves keeps fewer than 2n hashes, of which it can hold 2^31 − 1 at a time.
 *
 * <p>The beginning of a log need not be kept here. {@link #moveOut} gives up the leaves up to a place in whole blocks, and keeps
 * two hashes for each block; {@link #putBack} takes such a block again, for as long as something is asked about its places.
 * {@link #forget} drops all up to a place but the {@link #peaks}. From there on every answer is the same as that of a log that
 * forgot nothing.
 *
 * <p>A log is mutable and not safe for use by several threads at once.
 */
public final class MerkleLog {
    /** Leaves are usually moved out in blocks of 2^this. */
    public static final int BLOCK_LEVEL = 10;

    private final MerkleRows rows;
    private final int blockLevel;
    private final MovedLeaves moved;
    private long start;

    public MerkleLog() {
        this(BLOCK_LEVEL);
    }

    /**
     * Creates a log without entries.
     *
     * @param blockLevel leaves are moved out in blocks of 2^this, from 0 to 20
     */
    public MerkleLog(int blockLevel) {
        this(new MerkleRows(), 0, blockLevel);
    }

    private MerkleLog(MerkleRows rows, long start, int blockLevel) {
        this.rows = rows;
        this.start = start;
        this.blockLevel = blockLevel;
        this.moved = new MovedLeaves(blockLevel);
    }

    /**
     * The log that forgot its leaves.
     *
     * @param peaks as {@link #peaks} gives them at that size
     * @throws IllegalArgumentException when a log of that size has another number of peaks
     */
    public static MerkleLog after(long size, List<Hash> peaks) {
        return after(size, peaks, BLOCK_LEVEL);
    }

    /** As the other one, with leaves that are moved out in blocks of 2^blockLevel. */
    public static MerkleLog after(long size, List<Hash> peaks, int blockLevel) {
        return new MerkleLog(MerkleRows.after(size, peaks), size, blockLevel);
    }

    /**
     * The roots of the complete subtrees that the first leaves divide into, the largest first (RFC 9162 §2.1.2).
     *
     * @param size how many leaves, from {@link #start} to the present size
     * @return one hash for each bit that is set in the size; they make the root of that size
     * @throws IndexOutOfBoundsException when the log is shorter, or has not that place ({@link #has})
     */
    public List<Hash> peaks(long size) {
        Objects.checkFromToIndex(start, size, size());
        return subtrees(size);
    }

    private List<Hash> subtrees(long size) {
        List<Hash> peaks = new ArrayList<>();
        for (int level = rows.levels() - 1; level >= 0; level--) {
            if ((size >> level & 1) == 1) {
                peaks.add(complete(level, size));
            }
        }
        return peaks;
    }

    /** The index of the first leaf that is not forgotten: nothing can be asked about the leaves before, or about sizes below. */
    public long start() {
        return start;
    }

    /**
     * Whether this size can be asked about: it is not forgotten, and the block in which it ends is here.
     *
     * @param size from 0 to the present size; 0 always can
     */
    public boolean has(long size) {
        return size == 0 || (size >= start && moved.has(size));
    }

    /**
     * Whether a leaf can be asked about: it is not forgotten, and its block is here.
     *
     * @param index the leaf's position, counted from 0, below the present size
     */
    public boolean hasLeaf(long index) {
        return index >= start && moved.hasLeaf(index);
    }

    /** How many bytes of hashes are kept. */
    public long bytes() {
        return (rows.hashes() + moved.leaves()) * Hash.LENGTH;
    }

    /**
     * The leaves from one place up to another one, in whole blocks, as far as they are here and were not moved out.
     *
     * @throws IndexOutOfBoundsException when there are not so many leaves
     */
    public List<LeafBlock> blocks(long after, long size) {
        Objects.checkFromToIndex(0, size, size());
        return moved.blocks(rows.of(0), moved.firstFrom(Math.max(after, start)), moved.first(size));
    }

    /**
     * Gives up the leaves up to a place, in whole blocks; they cannot be truncated any more. What is asked about them later needs
     * their blocks again. Of a block whose beginning is forgotten, the rest is forgotten too.
     *
     * @param size up to which leaf, from 0 to the present size
     * @throws IndexOutOfBoundsException when there are not so many leaves
     */
    public void moveOut(long size) {
        Objects.checkFromToIndex(0, size, size());
        long begin = moved.firstFrom(start);
        long end = moved.first(size);
        if (begin < end) {
            start = start > moved.end() ? begin : start;
            moved.moveTo(end);
            dropRows();
        }
    }

    /**
     * The roots of all whole blocks that are not forgotten, up to a place; for {@link #regain}.
     *
     * @throws IndexOutOfBoundsException when there are not so many leaves
     */
    public BlockRoots blockRoots(long size) {
        Objects.checkFromToIndex(0, size, size());
        long from = moved.first(start);
        long end = moved.first(size);
        List<Hash> roots = from < end ? rows.of(blockLevel).between(from >> blockLevel, end >> blockLevel) : List.of();
        return new BlockRoots(from, roots.isEmpty() ? List.of() : subtrees(from), roots);
    }

    /**
     * Makes a log that begins at its end remember blocks before that, so that it can take them again ({@link #putBack}). The leaves
     * between the last whole block and the end are not here. Nobody need be trusted for the roots: they have to lead to the peaks.
     *
     * @return false when the log holds any leaf, or these are not the roots of its blocks; then nothing has changed
     */
    public boolean regain(BlockRoots blocks) {
        long size = size();
        MerkleRows regained = start == size ? blocks.rowsThatLeadTo(size, subtrees(size), blockLevel) : null;
        if (regained == null) {
            return false;
        }
        rows.replaceFrom(blockLevel, regained);
        start = blocks.first();
        moved.regain(size);
        return true;
    }

    /**
     * Takes a block that was moved out, until {@link #keepBack}. Nobody need be trusted for it: it is compared with what is here.
     *
     * @return whether it is a block of this log that was moved out and is not forgotten
     */
    public boolean putBack(LeafBlock block) {
        return rows.levels() > blockLevel && moved.putBack(block, start, rows.of(blockLevel));
    }

    /** Gives away again what {@link #putBack} took, but blocks with these first leaves. */
    public void keepBack(Collection<Long> firsts) {
        moved.keepBack(firsts);
    }

    /**
     * Forgets the first leaves, and what was the log at smaller sizes. What can be asked of the others stays as it is.
     *
     * @param size how many leaves, from 0 to the present size
     * @throws IndexOutOfBoundsException when there are not so many
     */
    public void forget(long size) {
        Objects.checkFromToIndex(0, size, size());
        if (size > start) {
            start = size;
            moved.forget(size);
            dropRows();
        }
    }

    /** Keeps of each level what lies behind the beginning, and the peaks there. */
    private void dropRows() {
        for (int level = 0; level < rows.levels(); level++) {
            rows.dropBefore(level, level < blockLevel ? Math.max(start, moved.end()) : start);
        }
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

    /** Appends a leaf, given as {@link MerkleTree#leafHash} computes its hash. */
    public void append(Hash leaf) {
        rows.append(0, leaf);
    }

    /**
     * Forgets the last leaves; costs no hashes, and time in proportion to what is forgotten.
     *
     * @param size how many leaves stay, from those that are moved out or forgotten to the present size
     * @throws IndexOutOfBoundsException when there are not so many, or more are moved out or forgotten
     */
    public void truncate(long size) {
        Objects.checkFromToIndex(Math.max(start, moved.here()), size, size());
        rows.truncate(size);
    }

    /** Returns the number of leaves, forgotten ones too: 0 or more. */
    public long size() {
        return rows.size();
    }

    /**
     * Returns the hash of one leaf.
     *
     * @param index the leaf's position, counted from 0
     * @throws IndexOutOfBoundsException when the log has no such leaf, or has it not ({@link #hasLeaf})
     */
    public Hash leaf(long index) {
        Objects.checkFromToIndex(start, index, size() - 1);
        return complete(0, index + 1);
    }

    public Hash root() {
        return rootAt(size());
    }

    /**
     * Returns the root that the log had at some size.
     *
     * @param size 0, or from {@link #start} to the present size
     * @throws IndexOutOfBoundsException when the log never had that size, or has not that place ({@link #has})
     */
    public Hash rootAt(long size) {
        Objects.checkFromToIndex(size == 0 ? 0 : start, size, size());
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
        MerkleFrontier frontier = rows.frontier();
        leaves.forEach(frontier::append);
        return frontier.root();
    }

    /**
     * Proves that a leaf is in the tree of some past or present size (RFC 9162 §2.1.3.1).
     *
     * @param index the leaf's position, counted from 0; not before {@link #start}
     * @param treeSize the size of the tree that the proof is about, greater than the index
     * @return the proof, which verifies against {@code leaf(index)} and {@code rootAt(treeSize)}
     * @throws IndexOutOfBoundsException when the log never had that size, that tree has no such leaf, or one of them is not here
     */
    public InclusionProof proveInclusion(long index, long treeSize) {
        Objects.checkFromToIndex(0, treeSize, size());
        Objects.checkFromToIndex(start, index, treeSize - 1);
        return MerkleProofs.inclusion(this::subtree, index, treeSize);
    }

    /**
     * Proves that the log at one size is a prefix of the log at another (RFC 9162 §2.1.4.1).
     *
     * @param oldSize the size of the shorter log: 0, or from {@link #start} to {@code newSize}
     * @param newSize the size of the longer log, at most the present size
     * @return the proof, which verifies against {@code rootAt(oldSize)} and {@code rootAt(newSize)}
     * @throws IndexOutOfBoundsException when the sizes are not in order, or the log never had them, or has them not
     */
    public ConsistencyProof proveConsistency(long oldSize, long newSize) {
        Objects.checkFromToIndex(oldSize, newSize, size());
        Objects.checkFromToIndex(oldSize == 0 ? 0 : start, oldSize, newSize);
        return MerkleProofs.consistency(this::subtree, oldSize, newSize);
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
        Hash here = rows.complete(level, end);
        Hash node = here == null ? moved.node(level, (end >> level) - 1) : here;
        if (node != null) {
            return node;
        }
        throw new IndexOutOfBoundsException("the leaves before " + end + " are not here: up to " + start
                + " they are forgotten, up to " + moved.here() + " moved out");
    }

    /** Up to where the leaves of a log were given away in blocks, and the blocks that are back for a while. For one thread. */
    private static final class MovedLeaves {
        private final int blockLevel;
        private final Map<Long, LeafBlock> back = new TreeMap<>();
        private long end;
        /** Up to where the log was not here when it began, but for the roots of its blocks. */
        private long regained;

        /** Starts with no moved leaves; blocks have 2^blockLevel leaves. */
        MovedLeaves(int blockLevel) {
            this.blockLevel = blockLevel;
        }

        /** The end of the last block that was given away. */
        long end() {
            return end;
        }

        /** From here on all leaves are here. */
        long here() {
            return Math.max(end, regained);
        }

        /** The first leaf of the block in which this leaf is. */
        long first(long index) {
            return index & -(1L << blockLevel);
        }

        /** The first leaf of the first whole block from a place on. */
        long firstFrom(long index) {
            return first(Math.max(index, here()) + (1L << blockLevel) - 1);
        }

        boolean has(long size) {
            return size >= here() || size == first(size) || back.containsKey(first(size));
        }

        boolean hasLeaf(long index) {
            return index >= here() || back.containsKey(first(index));
        }

        /** How many leaves are back. */
        long leaves() {
            return (long) back.size() << blockLevel;
        }

        /** The blocks of leaves from one place up to another one; both are multiples of their length. */
        List<LeafBlock> blocks(MerkleLevel leaves, long begin, long upTo) {
            List<LeafBlock> out = new ArrayList<>();
            for (long from = begin; from < upTo; from += 1L << blockLevel) {
                out.add(LeafBlock.of(from, leaves.between(from, from + (1L << blockLevel))));
            }
            return out;
        }

        /** All blocks up to a place are given away. */
        void moveTo(long place) {
            end = place;
        }

        /** A log of this size was given away: what follows its last whole block cannot come back before that block is whole. */
        void regain(long size) {
            end = first(size);
            regained = size;
        }

        /** Takes a block back if it has this place among blocks, and its root is the one in the level of blocks. */
        boolean putBack(LeafBlock block, long start, MerkleLevel roots) {
            long index = block.first() >> blockLevel;
            boolean fits = block.first() == first(block.first())
                    && block.leaves() == 1 << blockLevel
                    && block.first() >= 0
                    && block.first() < end
                    && block.first() + block.leaves() > start
                    && roots.has(index)
                    && roots.get(index).equals(block.root());
            if (fits) {
                back.put(block.first(), block);
            }
            return fits;
        }

        void keepBack(Collection<Long> firsts) {
            back.keySet().retainAll(firsts);
        }

        void forget(long size) {
            back.keySet().removeIf(first -> first + (1L << blockLevel) <= size);
        }

        /** A node of a level below that of blocks, by its index there; null when its block is not here. */
        @Nullable
        Hash node(int level, long index) {
            LeafBlock block = level < blockLevel ? back.get(first(index << level)) : null;
            return block == null ? null : block.node(level, (int) ((index << level) - block.first()));
        }
    }
}

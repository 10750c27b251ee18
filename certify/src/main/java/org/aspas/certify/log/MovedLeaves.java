package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/** Up to where the leaves of a log were given away in blocks, and the blocks that are back for a while. For one thread. */
final class MovedLeaves {
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

package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/** The complete subtrees of a log, a row for each size. Level k has those of 2^k leaves. Mutable, for one thread. */
final class MerkleRows {
    private final List<MerkleLevel> rows = new ArrayList<>();

    MerkleRows() {
        rows.add(new MerkleLevel(0));
    }

    /**
     * Of a log that forgot its leaves.
     *
     * @throws IllegalArgumentException when a log of that size has another number of peaks
     */
    static MerkleRows after(long size, List<Hash> peaks) {
        if (size < 0 || peaks.size() != Long.bitCount(size)) {
            throw new IllegalArgumentException(peaks.size() + " peaks of a log of " + size + " leaves");
        }
        MerkleRows made = new MerkleRows();
        int peak = peaks.size();
        made.rows.clear();
        for (int level = 0; level == 0 || size >> level != 0; level++) {
            MerkleLevel row = new MerkleLevel(first(size, level));
            if ((size >> level & 1) == 1) {
                row.add(peaks.get(--peak));
            }
            made.rows.add(row);
        }
        return made;
    }

    /** How many levels there are; at least one. */
    int levels() {
        return rows.size();
    }

    MerkleLevel of(int level) {
        return rows.get(level);
    }

    long size() {
        return rows.get(0).end();
    }

    long hashes() {
        return rows.stream().mapToLong(MerkleLevel::size).sum();
    }

    /** Appends a subtree to a level, and what it makes complete to those above. */
    void append(int lowest, Hash subtree) {
        Hash next = subtree;
        for (int level = lowest; ; level++) {
            while (level >= rows.size()) {
                rows.add(new MerkleLevel(0));
            }
            MerkleLevel row = rows.get(level);
            row.add(next);
            if (row.end() % 2 == 1) {
                return;
            }
            next = MerkleTree.nodeHash(row.get(row.end() - 2), next);
        }
    }

    /** The last complete subtree of 2^level leaves that lies before end; null when it is not here. */
    @Nullable
    Hash complete(int level, long end) {
        long index = (end >> level) - 1;
        MerkleLevel row = rows.get(level);
        return row.has(index) ? row.get(index) : null;
    }

    MerkleFrontier frontier() {
        MerkleFrontier frontier = new MerkleFrontier(size());
        for (int level = 0; level < rows.size(); level++) {
            if ((size() >> level & 1) == 1) {
                frontier.set(level, rows.get(level).get((size() >> level) - 1));
            }
        }
        return frontier;
    }

    void truncate(long size) {
        for (int level = 0; level < rows.size(); level++) {
            rows.get(level).truncate(size >> level);
        }
    }

    void replaceFrom(int level, MerkleRows others) {
        rows.subList(level, rows.size()).clear();
        rows.addAll(others.rows.subList(level, others.rows.size()));
    }

    /** Keeps of a level what lies behind an edge, and the peak there. */
    void dropBefore(int level, long edge) {
        rows.get(level).dropBefore(first(edge, level));
    }

    /** The first index of a level that is needed behind an edge: that of the peak there, if the level has one. */
    private static long first(long edge, int level) {
        return edge >> level & ~1L;
    }
}

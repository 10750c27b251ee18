package org.aspas.certify.log;

import java.util.Iterator;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * The roots of consecutive blocks of a log's leaves, with what the log was before them. Whoever has the peaks of the log behind these
 * blocks need trust nobody for them: {@link MerkleLog#regain}. Immutable.
 *
 * @param first the position of the first leaf of the first block, a multiple of the length of blocks
 * @param peaks the peaks of the log at that size ({@link MerkleLog#peaks})
 * @param roots the root of each block; there may be none
 */
public record BlockRoots(long first, List<Hash> peaks, List<Hash> roots) {
    public BlockRoots {
        peaks = List.copyOf(peaks);
        roots = List.copyOf(roots);
    }

    /**
     * All levels from that of blocks on, as they follow from these roots; those below have nothing.
     *
     * @param ends the peaks of the log of that size
     * @param level blocks have 2^level leaves
     * @return null when these are not the roots of that log's blocks up to its last whole one, or there are none
     */
    @Nullable
    MerkleRows rowsThatLeadTo(long size, List<Hash> ends, int level) {
        boolean reach = !roots.isEmpty()
                && first >= 0
                && first <= size
                && first % (1L << level) == 0
                && peaks.size() == Long.bitCount(first)
                && (first >> level) + roots.size() == size >> level;
        if (!reach) {
            return null;
        }
        MerkleRows rows = MerkleRows.after(first, peaks);
        roots.forEach(root -> rows.append(level, root));
        Iterator<Hash> peak = ends.iterator();
        for (int at = rows.levels() - 1; at >= level; at--) {
            if ((size >> at & 1) == 1 && !peak.next().equals(rows.complete(at, size))) {
                return null;
            }
        }
        return rows;
    }
}

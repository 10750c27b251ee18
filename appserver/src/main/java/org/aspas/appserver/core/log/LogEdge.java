package org.aspas.appserver.core.log;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The end of a log: all that is needed to go on from there.
 *
 * @param peaks the peaks of its Merkle tree ({@link org.aspas.certify.log.MerkleLog#peaks})
 * @param included the last entry's bytes with the proof that it is the last; null when there is none
 * @param last the last entry; null when there is none
 */
public record LogEdge(
        long size,
        List<Hash> peaks,
        BrokenEntry.@Nullable Included included,
        @Nullable Entry last) {
    public LogEdge(long size, List<Hash> peaks, BrokenEntry.@Nullable Included included, @Nullable Entry last) {
        this.size = size;
        this.peaks = List.copyOf(peaks);
        this.included = included;
        this.last = last;
    }

    /** Whether a log has all up to this certified end. */
    public boolean isIn(OriginLog log) {
        return log.size() >= size
                && log.knowsRoot(size)
                && log.rootAt(size).equals(MerkleLog.after(size, peaks).root());
    }
}

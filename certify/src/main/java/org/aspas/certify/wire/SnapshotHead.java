package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to the certified state at one certificate beside the leaves of its state tree.
 *
 * @param certificate the certificate: the one that was asked for, or the newest one of which there is a snapshot; null when there
 *     is none
 * @param logs the end of each origin's log at the certified version, by index; empty without a certificate
 */
public record SnapshotHead(@Nullable Certificate certificate, List<LogEnd> logs) implements SnapshotPart {
    private static final int MAX_PEAKS = 64;

    static final Schema<SnapshotHead> SCHEMA = items -> new SnapshotHead(
            items.optional(Certificate.ITEM, SnapshotHead::certificate),
            items.list(CborReader.MAX_ORIGINS, LogEnd.ITEM, SnapshotHead::logs));

    /**
     * The end of a log.
     *
     * @param peaks the edge of the log's Merkle tree ({@code certify.log.MerkleLog.peaks})
     * @param last the last entry; null when the log is empty
     */
    public record LogEnd(List<Hash> peaks, BrokenEntry.@Nullable Included last) {
        static final Item<LogEnd> ITEM = Item.array(items -> new LogEnd(
                items.list(MAX_PEAKS, Item.HASH, LogEnd::peaks),
                items.optional(BrokenEntry.Included.ITEM, LogEnd::last)));

        /** Copies the peaks. Written out, so that what may be null is in the class file for other modules. */
        public LogEnd(List<Hash> peaks, BrokenEntry.@Nullable Included last) {
            this.peaks = List.copyOf(peaks);
            this.last = last;
        }
    }

    public SnapshotHead {
        logs = List.copyOf(logs);
    }
}

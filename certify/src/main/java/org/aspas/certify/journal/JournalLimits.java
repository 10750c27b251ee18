package org.aspas.certify.journal;

/**
 * The sizes of a journal. A segment that has to hold a larger group becomes larger.
 *
 * @param segmentBytes the length of a segment's file, at least 4096 bytes
 * @param recordBytes the longest record, in bytes
 */
public record JournalLimits(int segmentBytes, int recordBytes) {
    public static final JournalLimits USUAL = new JournalLimits(16 << 20, 4 << 20);

    public JournalLimits {
        if (segmentBytes < 4096 || recordBytes < 1) {
            throw new IllegalArgumentException("segmentBytes " + segmentBytes + " must be at least 4096, recordBytes "
                    + recordBytes + " at least 1");
        }
    }
}

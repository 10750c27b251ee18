package org.aspas.certify.journal;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A journal whose records have a sum: a few records that say the same as all. When the files have grown by two segments, the
 * sum is written, and the segments before it are deleted. Not thread-safe.
 */
public final class CheckpointedJournal implements AutoCloseable {
    private static final long GROWTH = 2;

    private final Journal journal;
    private final JournalLimits limits;
    /** From which length of the files on they are made shorter, in bytes. */
    private long shortenAt;
    /** Where the sum begins that replaces all before it, and is not durable yet. */
    private Optional<Long> summed = Optional.empty();

    /** The journal, which was opened with these limits, and which this closes. */
    public CheckpointedJournal(Journal journal, JournalLimits limits) {
        this.journal = journal;
        this.limits = limits;
        this.shortenAt = GROWTH * limits.segmentBytes();
    }

    public TailCut tailCut() {
        return journal.tailCut();
    }

    public void append(byte[] record) {
        journal.append(record);
    }

    public void write() throws IOException {
        journal.write();
    }

    public void sync() throws IOException {
        journal.sync();
    }

    /**
     * Makes the files shorter when they are long; called after a {@link #sync}, when all that was appended is in the sum.
     *
     * @param sum the records that say the same as all before them
     * @throws IOException when the disk fails; nothing is lost, and the next call tries it again
     */
    public void shorten(Supplier<List<byte[]>> sum) throws IOException {
        if (summed.isEmpty() && journal.diskBytes() > shortenAt) {
            summed = Optional.of(journal.next());
            sum.get().forEach(journal::append);
        }
        if (summed.isPresent()) {
            journal.sync();
            journal.dropBelow(summed.get());
            shortenAt = journal.diskBytes() + GROWTH * limits.segmentBytes();
            summed = Optional.empty();
        }
    }

    @Override
    public void close() {
        journal.close();
    }
}

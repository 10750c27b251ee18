package org.aspas.certify.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * Ordered records on a disk. A record has a position: the number of records that were ever appended before it. {@link
 * #append} only takes a record; {@link #sync} makes all that were taken durable by one write and one force. Not thread-safe.
 *
 * <p>When a write or a force fails, the records that are not durable stay in memory. The file is given up, for the kernel may
 * have dropped its pages and would call the next force a success. The next {@link #write} or {@link #sync} begins a new
 * segment at the last durable position and writes them there. It may be tried again and again, so that a journal recovers by
 * itself when a full disk is freed. The caller bounds what waits ({@link #unsyncedBytes}).
 *
 * <p>{@link #open} does the same with the records of the last groups, which nothing proves to be on the disk.
 */
public final class Journal implements AutoCloseable {
    private final SegmentStore store;
    private final JournalLimits limits;
    private final TailCut cut;
    /** From position {@code synced} on; the first {@code written} of them are in the current file. */
    private final List<byte[]> unsynced = new ArrayList<>();

    private int written;
    private long unsyncedBytes;
    private long synced;
    private @Nullable Current current;

    /** The file that groups go into, until something fails. */
    private static final class Current {
        private final SegmentHeader header;
        private final FileLayer.OpenFile file;
        private int end;

        Current(SegmentStore.Begun begun, RecordGroup group) {
            this.header = begun.header();
            this.file = begun.file();
            this.end = SegmentHeader.BYTES + Math.toIntExact(RecordGroup.bytes(group.records()));
        }

        /** Whether it has room for a group, and for one behind it that marks the end. */
        boolean holds(long bytes) {
            return bytes + RecordGroup.HEADER <= header.length() - end;
        }

        void put(RecordGroup group) throws IOException {
            file.write(group.encode(header.mark()), end);
            end += Math.toIntExact(RecordGroup.bytes(group.records()));
        }
    }

    private Journal(SegmentStore store, JournalLimits limits, long synced, TailCut cut) {
        this.store = store;
        this.limits = limits;
        this.synced = synced;
        this.cut = cut;
    }

    public static boolean exists(FileLayer files) throws IOException {
        return SegmentStore.exists(files);
    }

    /**
     * Makes a journal without records. It closes the files, also when this fails.
     *
     * @param owner what the journal belongs to; only the same may open it
     * @throws IOException when there is one already, or it cannot be written
     */
    public static Journal create(FileLayer files, Hash owner, JournalLimits limits) throws IOException {
        try {
            Journal journal = new Journal(SegmentStore.create(files, owner), limits, 0, new TailCut("", 0, 0));
            journal.begin();
            return journal;
        } catch (IOException failed) {
            files.close();
            throw failed;
        }
    }

    /**
     * Opens a journal. All records that it then has are durable. It closes the files, also when this fails.
     *
     * @throws JournalDamagedException when a record that was durable is missing or damaged, there is no journal, or it is of
     *     another version
     * @throws ForeignJournalException when it is of another owner
     * @throws IOException when it cannot be read or written
     */
    public static Journal open(FileLayer files, Hash owner, JournalLimits limits) throws IOException {
        try {
            SegmentStore store = SegmentStore.open(files, owner);
            JournalRecovery recovery = JournalRecovery.of(store);
            Journal journal = new Journal(store, limits, recovery.synced(), recovery.cut());
            recovery.unproven().forEach(journal::take);
            journal.begin();
            return journal;
        } catch (IOException failed) {
            files.close();
            throw failed;
        }
    }

    public TailCut tailCut() {
        return cut;
    }

    /** The position of the oldest record that is kept. */
    public long oldest() {
        return store.live().get(0).first();
    }

    /** All records below this position are durable. */
    public long synced() {
        return synced;
    }

    /** The position of the record that is appended next. */
    public long next() {
        return synced + unsynced.size();
    }

    /** How many bytes the files have that hold the records: whole segments, with their room. */
    public long diskBytes() {
        return store.live().stream().mapToLong(SegmentHeader::length).sum();
    }

    /** How many bytes the records have that are not durable yet. */
    public long unsyncedBytes() {
        return unsyncedBytes;
    }

    /**
     * Takes a record, which nobody may change any more, and gives its position. Nothing is written yet.
     *
     * @throws IllegalArgumentException when the record is longer than the limits allow
     */
    public long append(byte[] record) {
        if (record.length > limits.recordBytes()) {
            throw new IllegalArgumentException(
                    "a record of " + record.length + " bytes; the longest may have " + limits.recordBytes());
        }
        long position = next();
        take(record);
        return position;
    }

    private void take(byte[] record) {
        unsynced.add(record);
        unsyncedBytes += record.length;
    }

    /** Writes what was appended and not written, as one group. It forces nothing, except when a new segment begins. */
    public void write() throws IOException {
        if (written == unsynced.size()) {
            return;
        }
        List<byte[]> fresh = unsynced.subList(written, unsynced.size());
        Current open = current;
        if (open == null || !open.holds(RecordGroup.bytes(fresh))) {
            begin();
        } else {
            put(open, new RecordGroup(synced + written, synced, fresh));
        }
    }

    /** Makes all records so far durable. */
    public void sync() throws IOException {
        write();
        Current open = current;
        if (unsynced.isEmpty() || open == null) {
            return;
        }
        force(open);
        allDurable();
    }

    /**
     * Lets the next record begin a new segment, so that all before it can be dropped. Nothing is written yet.
     *
     * @throws IllegalStateException when not all that was appended is durable
     */
    public void newSegment() {
        if (!unsynced.isEmpty()) {
            throw new IllegalStateException(unsynced.size() + " records are not durable");
        }
        abandon();
    }

    private void allDurable() {
        synced += unsynced.size();
        unsynced.clear();
        unsyncedBytes = 0;
        written = 0;
    }

    /** Begins a new segment with all that is not durable, which then is. */
    private void begin() throws IOException {
        abandon();
        RecordGroup group = new RecordGroup(synced, synced, unsynced);
        long bytes = SegmentHeader.BYTES + RecordGroup.bytes(unsynced) + RecordGroup.HEADER;
        current = new Current(store.begin(group, Math.toIntExact(Math.max(limits.segmentBytes(), bytes))), group);
        allDurable();
    }

    private void put(Current open, RecordGroup group) throws IOException {
        try {
            open.put(group);
            written = unsynced.size();
        } catch (IOException failed) {
            abandon();
            throw failed;
        }
    }

    private void force(Current open) throws IOException {
        try {
            open.file.force();
        } catch (IOException failed) {
            abandon();
            throw failed;
        }
    }

    private void abandon() {
        if (current != null) {
            current.file.close();
        }
        current = null;
        written = 0;
    }

    /**
     * Deletes segments all of whose records are below a position. Records below it that share a segment with others stay.
     *
     * @throws IOException when the disk fails; nothing is lost, and it may be tried again
     */
    public void dropBelow(long position) throws IOException {
        store.dropBelow(Math.min(position, synced), synced);
    }

    /**
     * Gives the durable records from a position on, in order.
     *
     * @throws JournalDamagedException when one of them cannot be read
     * @throws IllegalArgumentException when the position is below the oldest record's
     */
    public void read(long from, RecordReader reader) throws IOException {
        if (from < oldest()) {
            throw new IllegalArgumentException("position " + from + " is below the oldest, " + oldest());
        }
        long position = from;
        while (position < synced) {
            for (byte[] record : segment(position)) {
                reader.record(position++, record);
            }
        }
    }

    /**
     * The durable record at a position and those behind it in the same file, in order: so many are read at once.
     *
     * @param from at least {@link #oldest}, and below {@link #synced}
     * @throws JournalDamagedException when one of them cannot be read
     */
    public List<byte[]> segment(long from) throws IOException {
        List<SegmentHeader> live = store.live();
        int at = live.size() - 1;
        while (live.get(at).first() > from) {
            at--;
        }
        long to = at + 1 < live.size() ? live.get(at + 1).first() : synced;
        return JournalRecovery.complete(store, live.get(at), to).records(from, to);
    }

    /** Releases the files. Records that are not durable are given up. */
    @Override
    public void close() {
        markEnd();
        abandon();
        store.close();
    }

    /** A group that says that all is durable: without it nobody could tell damage of the last records from an unfinished group. */
    private void markEnd() {
        Current open = current;
        if (open == null || !unsynced.isEmpty()) {
            return;
        }
        try {
            put(open, new RecordGroup(synced, synced, List.of()));
            force(open);
        } catch (IOException ignored) {
            // All records are durable without it.
        }
    }

    @FunctionalInterface
    public interface RecordReader {
        /** One record and its position; nobody may change the array. */
        void record(long position, byte[] record);
    }
}

package org.aspas.appserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.aspas.certify.journal.Journal;

/** The core's records, a segment of the journal in memory at a time. */
final class StoredRecords implements Iterator<byte[]> {
    /** Records of a journal from a position on, as many as are read at once. */
    @FunctionalInterface
    interface Segments {
        List<byte[]> from(long position) throws IOException;
    }

    private final Segments segments;
    private final long end;
    private long next;
    private Iterator<byte[]> segment = List.<byte[]>of().iterator();
    private byte[] record = new byte[0];

    /** Those of a journal that is open, from a position on. */
    StoredRecords(Journal journal, long start) {
        this(journal::segment, start, journal.synced());
    }

    /** Those from one position up to before another. */
    StoredRecords(Segments segments, long start, long end) {
        this.segments = segments;
        this.next = start;
        this.end = end;
    }

    @Override
    public boolean hasNext() {
        while (record.length == 0 && advance()) {
            byte[] read = segment.next();
            record = ShellRecord.is(read) ? record : read;
        }
        return record.length > 0;
    }

    private boolean advance() {
        if (!segment.hasNext() && next < end) {
            try {
                List<byte[]> read = segments.from(next);
                next += read.size();
                segment = read.iterator();
            } catch (IOException failed) {
                throw new UncheckedIOException(new StoreUnusableException(failed));
            }
        }
        return segment.hasNext();
    }

    @Override
    public byte[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        byte[] given = record;
        record = new byte[0];
        return given;
    }
}

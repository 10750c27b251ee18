package org.aspas.appserver.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.aspas.certify.journal.Journal;

/** The core's records, a segment of the journal in memory at a time. */
final class StoredRecords implements Iterator<byte[]> {
    private final Journal journal;
    private long next;
    private Iterator<byte[]> segment = List.<byte[]>of().iterator();
    private byte[] record = new byte[0];

    StoredRecords(Journal journal, long start) {
        this.journal = journal;
        this.next = start;
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
        if (!segment.hasNext() && next < journal.synced()) {
            try {
                List<byte[]> read = journal.segment(next);
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

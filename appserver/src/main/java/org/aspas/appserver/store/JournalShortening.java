package org.aspas.appserver.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.Records;
import org.aspas.certify.journal.Journal;

/**
 * Finds the sums among an appserver's records ({@link Records#SUM}), and deletes what is before one. With the first record of a sum goes
 * what the store has noted of its own use. For one thread.
 */
final class JournalShortening {
    private final Journal journal;
    private final List<byte[]> notes;
    private long begin = -1;
    private Optional<Long> whole = Optional.empty();

    /** {@code notes} are the store's own records, which must outlive all others. */
    JournalShortening(Journal journal, List<byte[]> notes) {
        this.journal = journal;
        this.notes = List.copyOf(notes);
    }

    /** Whether a record is the first of a sum: it is to be the first of a segment, so that all before it can go. */
    static boolean begins(byte[] record) {
        return record[0] == Records.SUM;
    }

    void append(byte[] record) {
        if (begins(record)) {
            begin = journal.next();
            notes.forEach(journal::append);
        }
        journal.append(record);
        if (record[0] == Records.SUM_END && begin >= 0) {
            whole = Optional.of(begin);
        }
    }

    /** Where the sum begins that was appended as a whole since the last call, if one was; to be asked when it is durable. */
    Optional<Long> durable() {
        Optional<Long> sum = whole;
        whole = Optional.empty();
        return sum;
    }

    /** Deletes what is before a sum; the base has all of that, durably. */
    void dropBelow(long sum) throws IOException {
        journal.dropBelow(sum);
    }
}

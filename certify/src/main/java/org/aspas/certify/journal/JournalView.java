package org.aspas.certify.journal;

import java.io.IOException;
import java.util.List;
import org.aspas.certify.identity.Hash;

/**
 * The records that {@link Journal#open} would find in files, read without a change to any file, one file at a time. Nobody may write
 * the files meanwhile. For one thread.
 */
public final class JournalView {
    private final SegmentStore store;
    private final JournalRecovery recovery;

    private JournalView(SegmentStore store, JournalRecovery recovery) {
        this.store = store;
        this.recovery = recovery;
    }

    /**
     * Reads a journal.
     *
     * @throws JournalDamagedException when there is none, or a start would name damage
     * @throws ForeignJournalException when it is of another owner
     */
    public static JournalView of(FileLayer files, Hash owner) throws IOException {
        SegmentStore store = SegmentStore.open(files, owner);
        return new JournalView(store, JournalRecovery.of(store));
    }

    /** The position of the oldest record that is kept. */
    public long oldest() {
        return store.live().get(0).first();
    }

    /** The position behind the last whole record. */
    public long next() {
        return recovery.synced() + recovery.unproven().size();
    }

    /**
     * The record at a position and those behind it in the same file, in order.
     *
     * @param from at least {@link #oldest}, and below {@link #next}
     * @throws JournalDamagedException when one of them cannot be read
     */
    public List<byte[]> segment(long from) throws IOException {
        if (from >= recovery.synced()) {
            List<byte[]> unproven = recovery.unproven();
            return unproven.subList((int) (from - recovery.synced()), unproven.size());
        }
        List<SegmentHeader> live = store.live();
        int at = live.size() - 1;
        while (live.get(at).first() > from) {
            at--;
        }
        long to = at + 1 < live.size() ? live.get(at + 1).first() : recovery.synced();
        return JournalRecovery.complete(store, live.get(at), to).records(from, to);
    }
}

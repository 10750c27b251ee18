package org.aspas.certify.journal;

import java.io.IOException;
import java.util.List;

/**
 * What a journal's files hold after a stop of any kind.
 *
 * @param synced the records below this position were durable before the stop
 * @param unproven the records from there on that are whole; they may be in the memory of the machine alone, and so must be
 *     written again before anybody relies on them
 * @param cut what is behind them
 */
record JournalRecovery(long synced, List<byte[]> unproven, TailCut cut) {
    /**
     * Reads all segments.
     *
     * @throws JournalDamagedException when a record that was durable is missing or damaged
     */
    static JournalRecovery of(SegmentStore store) throws IOException {
        List<SegmentHeader> live = store.live();
        for (int i = 0; i + 1 < live.size(); i++) {
            complete(store, live.get(i), live.get(i + 1).first());
        }
        SegmentHeader last = live.get(live.size() - 1);
        SegmentScan scan = SegmentScan.of(store.read(last), last);
        if (scan.contradiction().isPresent()) {
            throw new JournalDamagedException(
                    store.describe(last),
                    scan.end(),
                    "no whole group is here, and a later one begins at byte "
                            + scan.contradiction().getAsInt());
        }
        if (scan.next() < store.durable()) {
            throw damaged(store, last, scan, store.durable());
        }
        long synced = Math.max(scan.synced(last), store.durable());
        TailCut cut = new TailCut(store.describe(last), scan.end(), scan.tail());
        return new JournalRecovery(synced, scan.records(synced, scan.next()), cut);
    }

    /**
     * The scan of a segment that must hold all records from its first position up to before another.
     *
     * @throws JournalDamagedException when it does not
     */
    static SegmentScan complete(SegmentStore store, SegmentHeader segment, long to) throws IOException {
        SegmentScan scan = SegmentScan.of(store.read(segment), segment);
        if (scan.next() < to) {
            throw damaged(store, segment, scan, to);
        }
        return scan;
    }

    private static JournalDamagedException damaged(
            SegmentStore store, SegmentHeader segment, SegmentScan scan, long to) {
        return new JournalDamagedException(
                store.describe(segment),
                scan.end(),
                "no whole group is here, and the records below position " + to + " were durable");
    }
}

package org.aspas.certify.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

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

    /**
     * What the bytes of a segment's file hold: whole groups, one behind the other from the header on, and then perhaps bytes that
     * are none.
     *
     * @param groups the whole groups, each beginning at the position where the one before it ends
     * @param next the position behind them
     * @param end the byte behind them
     * @param tail how many bytes are behind them, up to the last that is not zero
     * @param contradiction where a later group begins that says that more than this was durable; empty when none does
     */
    record SegmentScan(List<RecordGroup> groups, long next, int end, int tail, OptionalInt contradiction) {
        static SegmentScan of(ByteBuffer file, SegmentHeader header) {
            List<RecordGroup> groups = new ArrayList<>();
            long next = header.first();
            int end = SegmentHeader.BYTES;
            while (true) {
                RecordGroup group = RecordGroup.read(file, end, header.mark()).orElse(null);
                if (group == null || group.first() != next) {
                    break;
                }
                groups.add(group);
                next = group.next();
                end += Math.toIntExact(RecordGroup.bytes(group.records()));
            }
            return new SegmentScan(groups, next, end, tail(file, end), contradiction(file, end, header.mark(), next));
        }

        /** Up to where the groups, or else the header, say that records were durable. */
        long synced(SegmentHeader header) {
            return groups.isEmpty()
                    ? header.first()
                    : groups.get(groups.size() - 1).synced();
        }

        /** The records from one position up to before another. */
        List<byte[]> records(long from, long to) {
            List<byte[]> found = new ArrayList<>();
            for (RecordGroup group : groups) {
                for (int i = 0; i < group.records().size(); i++) {
                    long position = group.first() + i;
                    if (position >= from && position < to) {
                        found.add(group.records().get(i));
                    }
                }
            }
            return found;
        }

        private static int tail(ByteBuffer file, int end) {
            int last = file.capacity();
            while (last > end && file.get(last - 1) == 0) {
                last--;
            }
            return last - end;
        }

        /** A header alone is proof enough: it was written after the sync that it tells of. */
        private static OptionalInt contradiction(ByteBuffer file, int end, long mark, long next) {
            for (int at = end; at <= file.capacity() - RecordGroup.HEADER; at++) {
                if (RecordGroup.headerAt(file, at, mark) && RecordGroup.syncedAt(file, at) > next) {
                    return OptionalInt.of(at);
                }
            }
            return OptionalInt.empty();
        }
    }
}

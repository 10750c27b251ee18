package org.aspas.appserver.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.certify.journal.Journal;
import org.aspas.certify.journal.JournalView;
import org.jspecify.annotations.Nullable;

/** What a store's own records tell of it: whether its making ended, and how it was used since. */
final class StoreHistory {
    private final StoreOwner owner;
    private boolean founded;
    private boolean kept = true;
    private boolean ended = true;
    private byte unknown;
    private byte @Nullable [] lastRun;
    private long sumBegun = -1;
    private long sum = -1;
    private long start;

    private StoreHistory(StoreOwner owner) {
        this.owner = owner;
    }

    /**
     * Reads a whole journal.
     *
     * @throws StoreUnusableException when another version of this program wrote it
     */
    static StoreHistory of(Journal journal, StoreOwner owner) throws IOException {
        StoreHistory history = new StoreHistory(owner);
        // Where older records were dropped, the store was in use, and so was whole.
        history.founded = journal.oldest() > 0;
        journal.read(journal.oldest(), (position, record) -> {
            history.take(record);
            history.lookForSum(position, record);
        });
        history.start = journal.oldest() == 0 ? 0 : history.sum;
        if (history.start < 0) {
            throw withoutSum(journal.oldest());
        }
        if (history.unknown != 0) {
            throw new StoreUnusableException("it holds a record of kind " + history.unknown
                    + ", which this version of the program does not know");
        }
        return history;
    }

    private void take(byte[] record) {
        ended = false;
        if (!StoreRecord.is(record)) {
            return;
        }
        switch (record[0]) {
            case StoreRecord.FOUNDED -> {
                founded |= StoreRecord.founds(record, owner);
                ended = lastRun == null;
            }
            case StoreRecord.RUN -> {
                lastRun = record;
                kept &= StoreRecord.durability(record) != Durability.MEMORY.code();
            }
            case StoreRecord.ENDED -> ended = true;
            default -> unknown = record[0];
        }
    }

    private void lookForSum(long position, byte[] record) {
        if (record.length > 0 && record[0] == Records.SUM) {
            sumBegun = position;
        } else if (record.length > 0 && record[0] == Records.SUM_END && sum < 0) {
            sum = sumBegun;
        }
    }

    /**
     * The position of the core's first record in a journal that is only read.
     *
     * @throws StoreUnusableException when older records were dropped and no sum is there
     */
    static long start(JournalView journal) throws IOException {
        long begun = -1;
        long position = journal.oldest();
        while (position > 0 && position < journal.next()) {
            for (byte[] record : journal.segment(position)) {
                if (record.length > 0 && record[0] == Records.SUM) {
                    begun = position;
                } else if (record.length > 0 && record[0] == Records.SUM_END && begun >= 0) {
                    return begun;
                }
                position++;
            }
        }
        if (position > 0) {
            throw withoutSum(journal.oldest());
        }
        return 0;
    }

    private static StoreUnusableException withoutSum(long oldest) {
        return new StoreUnusableException("its journal begins at record " + oldest + ", and has no sum");
    }

    /** The position of the core's first record: all that were ever written, or the first sum with all behind it. */
    long start() {
        return start;
    }

    /**
     * What must outlive the other records of the store itself: how it is used now, or was last. A use without a memory is the last one, for
     * none is noted after it.
     */
    List<byte[]> notes(byte @Nullable [] run) {
        byte[] last = run == null ? lastRun : run;
        return last == null ? List.of() : List.of(last);
    }

    /** Whether no process used the store yet. */
    boolean unused() {
        return lastRun == null;
    }

    /**
     * Whether the records are all that the server ever promised.
     *
     * @param boot the boot id of the machine as it runs now; empty when it is not known
     */
    StoreState state(String boot) {
        return doubt(boot).<StoreState>map(StoreState.Amnesiac::new).orElse(StoreState.GOOD);
    }

    private Optional<String> doubt(String boot) {
        if (!founded) {
            return Optional.of("its store was not made whole");
        }
        if (!kept) {
            return Optional.of("it ran with --durability memory, and kept nothing");
        }
        byte[] run = lastRun;
        boolean lost = run != null
                && !ended
                && StoreRecord.durability(run) == Durability.OS.code()
                && (boot.isEmpty() || !boot.equals(StoreRecord.boot(run)));
        return lost
                ? Optional.of("it ran with --durability os, and its machine stopped before it did")
                : Optional.empty();
    }
}

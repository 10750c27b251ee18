package org.aspas.certify.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.aspas.certify.identity.Hash;

/**
 * The journal's executable specification, and one run against it: a journal is a list of records. Appending adds to the list;
 * after a power cut, the list is cut behind a place that is not before what was synced. Seeded, on a {@link PowerCutFiles}.
 */
final class PowerCutRun {
    static final Hash OWNER = Hash.sha256(new byte[] {1});
    static final JournalLimits SMALL = new JournalLimits(4096, 3000);
    private static final int STOPS = 6;

    /** The journal is not what the specification says. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    private final Random random;
    private final List<byte[]> records = new ArrayList<>();
    private PowerCutFiles disk;
    private int synced;
    private long dropped;
    private boolean made;
    private int cuts;
    private long tailBytes;
    private int healed;

    PowerCutRun(long seed) {
        this.random = new Random(seed);
        this.disk = new PowerCutFiles(new Random(random.nextLong()));
    }

    /** Runs it; the power is cut, or the process killed, several times. */
    PowerCutRun run() {
        for (int i = 0; i < STOPS; i++) {
            disk.cutAfter(random.nextInt(i == 0 ? 60 : 160));
            try {
                work(openOrCreate());
            } catch (PowerCutFiles.PowerCut cut) {
                // What it was is decided below.
            } catch (IOException failed) {
                throw new Violation("LOST: a healthy disk is refused: " + failed.getMessage());
            }
            if (disk.usedAfterFailure()) {
                throw new Violation("REUSED: a file was used after its write or force had failed");
            }
            if (random.nextInt(3) == 0) {
                disk.processKilled();
            } else {
                disk = disk.survivor();
                cuts++;
            }
        }
        disk.processKilled();
        try {
            openOrCreate().close();
            return this;
        } catch (IOException failed) {
            throw new Violation("LOST: a healthy disk is refused: " + failed.getMessage());
        }
    }

    int cuts() {
        return cuts;
    }

    long tailBytes() {
        return tailBytes;
    }

    int healed() {
        return healed;
    }

    private Journal openOrCreate() throws IOException {
        if (!Journal.exists(disk)) {
            if (made) {
                throw new Violation("LOST: the journal is gone");
            }
            Journal journal = Journal.create(disk, OWNER, SMALL);
            made = true;
            return journal;
        }
        Journal journal = Journal.open(disk, OWNER, SMALL);
        made = true;
        if (journal.next() < synced) {
            throw new Violation("LOST: synced up to " + synced + ", and there are " + journal.next());
        }
        if (journal.next() > records.size() || journal.synced() != journal.next()) {
            throw new Violation("INVENTED: " + journal.next() + " of " + records.size());
        }
        tailBytes += journal.tailCut().bytes();
        records.subList((int) journal.next(), records.size()).clear();
        synced = records.size();
        check(journal);
        return journal;
    }

    private void check(Journal journal) throws IOException {
        if (journal.oldest() > dropped) {
            throw new Violation("DROPPED: oldest " + journal.oldest() + ", asked for " + dropped);
        }
        long from = journal.oldest() + random.nextInt((int) (journal.synced() - journal.oldest()) + 1);
        long[] at = {from};
        journal.read(from, (position, record) -> {
            if (position != at[0]++ || !Arrays.equals(record, records.get((int) position))) {
                throw new Violation("WRONG: record " + position);
            }
        });
        if (at[0] != journal.synced()) {
            throw new Violation("LOST: read up to " + at[0] + " of " + journal.synced());
        }
    }

    /** Works until the power is cut. */
    private void work(Journal journal) throws IOException {
        while (true) {
            int action = random.nextInt(20);
            if (action < 8) {
                append(journal);
            } else if (action < 15) {
                tried(journal, journal::sync);
            } else if (action < 16) {
                tried(journal, journal::write);
            } else if (action < 17) {
                dropped = Math.max(dropped, random.nextInt(synced + 1));
                tried(journal, () -> journal.dropBelow(dropped));
            } else if (action < 18) {
                check(journal);
            } else {
                toggle();
            }
        }
    }

    private void append(Journal journal) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] record = new byte[random.nextInt(random.nextInt(20) == 0 ? 3000 : 300)];
            random.nextBytes(record);
            if (journal.append(record) != records.size()) {
                throw new Violation("POSITION: not " + records.size());
            }
            records.add(record);
        }
    }

    private void toggle() {
        if (!disk.healthy()) {
            disk.failWith(0);
            disk.capacity(Long.MAX_VALUE);
            healed++;
        } else if (random.nextBoolean()) {
            disk.failWith(0.1 + random.nextDouble() / 2);
        } else {
            disk.capacity(disk.used() + random.nextInt(5000));
        }
    }

    private interface Attempt {
        void run() throws IOException;
    }

    private void tried(Journal journal, Attempt attempt) throws IOException {
        try {
            attempt.run();
        } catch (IOException failed) {
            if (disk.healthy()) {
                throw failed;
            }
        }
        synced = Math.max(synced, (int) journal.synced());
        if (journal.next() != records.size()) {
            throw new Violation("FORGOTTEN: " + journal.next() + " of " + records.size());
        }
    }
}

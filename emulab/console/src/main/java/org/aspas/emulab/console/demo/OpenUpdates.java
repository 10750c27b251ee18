package org.aspas.emulab.console.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the updates that clients have issued and that are not confirmed yet. Updates from before the newest mark are counted
 * separately: when none of them is open any more and none has failed, the attack has lost none. Thread-safe.
 */
final class OpenUpdates {
    /** The updates that were issued in one interval between marks. */
    static final class Stretch {
        private final AtomicIntegerArray open;
        private final LongAdder failed = new LongAdder();

        private Stretch(int clients) {
            this.open = new AtomicIntegerArray(clients);
        }

        /** Notes that one of a client's updates was confirmed, or never will be. */
        void ended(int client, boolean confirmed) {
            if (!confirmed) {
                failed.increment();
            }
            open.decrementAndGet(client);
        }
    }

    private final int clients;
    private final List<Stretch> before = new CopyOnWriteArrayList<>();
    private volatile Stretch present;
    private volatile long marked;
    private volatile long failedEarlier;

    OpenUpdates(int clients) {
        this.clients = clients;
        this.present = new Stretch(clients);
    }

    /** Counts an update that a client issues, and returns the interval to notify of its end. */
    Stretch begin(int client) {
        Stretch mine = present;
        mine.open.incrementAndGet(client);
        return mine;
    }

    /** Counts the updates that are open now separately from later ones. Failures that an earlier mark covers are left out. */
    synchronized void mark() {
        failedEarlier = sumFailed();
        before.add(present);
        present = new Stretch(clients);
        marked = left();
    }

    /** Returns how many updates were open at the newest mark. */
    long atMark() {
        return marked;
    }

    /** Returns how many of them are still open. */
    long left() {
        long left = 0;
        for (int client = 0; client < clients; client++) {
            left += left(client);
        }
        return left;
    }

    int left(int client) {
        return before.stream().mapToInt(stretch -> stretch.open.get(client)).sum();
    }

    int clients() {
        return clients;
    }

    /** Returns how many updates from before the newest mark have failed, without the failures that an earlier mark covers. */
    long failed() {
        return sumFailed() - failedEarlier;
    }

    private long sumFailed() {
        return before.stream().mapToLong(stretch -> stretch.failed.sum()).sum();
    }
}

package org.aspas.emulab.console.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the updates that clients have begun and that are not confirmed, those from before the newest marked moment apart: when
 * there are none of these any more, none that was open at that moment is lost. Thread-safe.
 */
final class OpenUpdates {
    /** Those that were begun in one stretch of time. */
    static final class Stretch {
        private final AtomicIntegerArray open;
        private final LongAdder failed = new LongAdder();

        private Stretch(int clients) {
            this.open = new AtomicIntegerArray(clients);
        }

        /** One of a client's is confirmed, or never will be. */
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

    /** A client begins an update; the stretch returned is to be told of its end. */
    Stretch begin(int client) {
        Stretch mine = present;
        mine.open.incrementAndGet(client);
        return mine;
    }

    /** From now on those that are open now are counted apart. Of those that failed, what an earlier mark covers is left out. */
    synchronized void mark() {
        failedEarlier = sumFailed();
        before.add(present);
        present = new Stretch(clients);
        marked = left();
    }

    /** How many were open at that moment. */
    long atMark() {
        return marked;
    }

    /** How many of these are open still. */
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

    /** How many of those that were begun before the moment failed. */
    long failed() {
        return sumFailed() - failedEarlier;
    }

    private long sumFailed() {
        return before.stream().mapToLong(stretch -> stretch.failed.sum()).sum();
    }
}

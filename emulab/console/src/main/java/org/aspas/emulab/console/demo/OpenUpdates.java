package org.aspas.emulab.console.demo;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the updates that clients have begun and that are not confirmed, those from before the newest marked moment apart: when
 * there are none of these any more, none that was open at that moment is lost. Thread-safe.
 */
final class OpenUpdates {
    /** Those that were begun in one stretch of time. */
    static final class Stretch {
        private final LongAdder open = new LongAdder();
        private final LongAdder failed = new LongAdder();

        /** One of them is confirmed, or never will be. */
        void ended(boolean confirmed) {
            if (!confirmed) {
                failed.increment();
            }
            open.decrement();
        }
    }

    private final List<Stretch> before = new CopyOnWriteArrayList<>();
    private volatile Stretch present = new Stretch();
    private volatile long marked;
    private volatile long failedEarlier;

    /** An update begins; what comes back is to be told of its end. */
    Stretch begin() {
        Stretch mine = present;
        mine.open.increment();
        return mine;
    }

    /** From now on those that are open now are counted apart. Of those that failed, what an earlier mark covers is left out. */
    synchronized void mark() {
        failedEarlier = sumFailed();
        before.add(present);
        present = new Stretch();
        marked = left();
    }

    /** How many were open at that moment. */
    long atMark() {
        return marked;
    }

    /** How many of these are open still. */
    long left() {
        return before.stream().mapToLong(stretch -> stretch.open.sum()).sum();
    }

    /** How many of those that were begun before the moment failed. */
    long failed() {
        return sumFailed() - failedEarlier;
    }

    private long sumFailed() {
        return before.stream().mapToLong(stretch -> stretch.failed.sum()).sum();
    }
}

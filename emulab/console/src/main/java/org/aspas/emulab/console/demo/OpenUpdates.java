package org.aspas.emulab.console.demo;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the updates that clients have begun and that are not confirmed, those from before a moment apart: when there are none of
 * these any more, none that was open at that moment is lost. Thread-safe.
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

    private final Stretch before = new Stretch();
    private volatile Stretch present = before;
    private volatile long marked;

    /** An update begins; what comes back is to be told of its end. */
    Stretch begin() {
        Stretch mine = present;
        mine.open.increment();
        return mine;
    }

    /** From now on those that are open now are counted apart. Only the first call has an effect. */
    void mark() {
        if (present == before) {
            present = new Stretch();
            marked = before.open.sum();
        }
    }

    /** Whether there was such a moment. */
    boolean isMarked() {
        return present != before;
    }

    /** How many were open at that moment. */
    long atMark() {
        return marked;
    }

    /** How many of these are open still. */
    long left() {
        return before.open.sum();
    }

    /** How many of those that were begun before the moment failed. */
    long failed() {
        return before.failed.sum();
    }
}

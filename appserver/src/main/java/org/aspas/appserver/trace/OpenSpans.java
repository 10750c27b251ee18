package org.aspas.appserver.trace;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds how many spans of updates and certifications are open at once. Thread-safe. */
final class OpenSpans {
    private static final int MOST = 4096;

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /** Whether there is room for one more, which has it now. */
    boolean enter() {
        if (open.incrementAndGet() > MOST) {
            open.decrementAndGet();
            refused.incrementAndGet();
            return false;
        }
        return true;
    }

    void leave() {
        open.decrementAndGet();
    }

    long refused() {
        return refused.get();
    }
}

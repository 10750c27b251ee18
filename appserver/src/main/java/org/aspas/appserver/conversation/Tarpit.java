package org.aspas.appserver.conversation;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Makes one connection wait for what it did: each hold begins when the ones before it are over, so that a flood of offences
 * comes in no faster than one per hold, however many of its messages were under way. Thread-safe.
 */
final class Tarpit {
    private final LongSupplier nanoTime;
    private long freeAt;

    /**
     * A connection that is free.
     *
     * @param nanoTime a clock that never goes back, in nanoseconds, of any origin
     */
    Tarpit(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.freeAt = nanoTime.getAsLong();
    }

    synchronized void hold(Duration time) {
        freeAt = nanoTime.getAsLong() + waitNanos() + time.toNanos();
    }

    /** How long the connection has to wait from now on, in nanoseconds; 0 when it is free. */
    synchronized long waitNanos() {
        return Math.max(0, freeAt - nanoTime.getAsLong());
    }
}

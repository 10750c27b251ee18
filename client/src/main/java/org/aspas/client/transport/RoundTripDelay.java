package org.aspas.client.transport;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Half of a round trip in each direction, always open. Thread-safe. */
public final class RoundTripDelay implements TransportDelay, TransportDelay.Way {
    private final long halfNanos;
    private final ScheduledExecutorService scheduler;

    /**
     * A delay that stays the same.
     *
     * @param roundTrip the time to add to each round trip; not negative
     * @param scheduler says when frames are due; may be shared
     */
    public RoundTripDelay(Duration roundTrip, ScheduledExecutorService scheduler) {
        this.halfNanos = roundTrip.toNanos() / 2;
        this.scheduler = scheduler;
    }

    @Override
    public Way toServer() {
        return this;
    }

    @Override
    public Way toClient() {
        return this;
    }

    @Override
    public long due(long sent, int bytes) {
        return sent + halfNanos;
    }

    @Override
    public long open(long now) {
        return now;
    }

    @Override
    public void left(long sent, long due, long now) {
        // Nobody asks how late.
    }

    @Override
    public void wake(long moment, Runnable task) {
        try {
            var unused = scheduler.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            // Nothing travels any more.
        }
    }
}

package org.aspas.client.net;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A constant delay of half a round trip in each direction. Thread-safe. */
public final class RoundTripDelay implements TransportDelay, TransportDelay.Way {
    private final long halfNanos;
    private final ScheduledExecutorService scheduler;

    /**
     * Creates a constant delay.
     *
     * @param roundTrip the time to add to each round trip; not negative
     * @param scheduler runs tasks when frames are due; may be shared
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
        // Lateness is not measured.
    }

    @Override
    public void wake(long moment, Runnable task) {
        try {
            var unused = scheduler.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            // The client is closing, so no frame is delivered any more.
        }
    }
}

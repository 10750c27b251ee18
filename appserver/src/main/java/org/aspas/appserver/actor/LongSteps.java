package org.aspas.appserver.actor;

import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * How long the core's thread is busy with one event and all that it leads to, by the clock: so long everybody else waits. Besides the
 * core's own work, it has what the machine and its collector take meanwhile. For one thread.
 */
final class LongSteps {
    /** The longest is that of the present period and the one before. */
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private long periodBegan;
    private boolean begun;
    private long longest;
    private long longestBefore;
    private long tooLong;

    /** A step took from one moment to another, both of {@link System#nanoTime()}. */
    void took(long from, long to) {
        turn(to);
        longest = Math.max(longest, to - from);
        if (to - from > LONG_NANOS) {
            tooLong++;
        }
    }

    private void turn(long now) {
        long passed = now - periodBegan;
        if (!begun || passed >= PERIOD_NANOS) {
            longestBefore = passed < 2 * PERIOD_NANOS ? longest : 0;
            longest = 0;
            periodBegan = now;
            begun = true;
        }
    }

    /** Adds the longest step of the last 30 to 60 s in microseconds, and how many there were above 20 ms since the start. */
    void measure(SortedMap<String, Long> gauges, long now) {
        turn(now);
        gauges.put("core_step_longest_micros", TimeUnit.NANOSECONDS.toMicros(Math.max(longest, longestBefore)));
        gauges.put("core_steps_over_20_ms", tooLong);
    }
}

package org.aspas.emulab.gatling;

import java.util.concurrent.atomic.AtomicLong;

/** Which part of a run it is. Thread-safe. */
final class RunClock {
    /** The group of what is done before the measured part. */
    static final String WARM_UP = "warm-up";

    /** The group of what is done after it. */
    static final String AFTERWARDS = "afterwards";

    private static final long NOT_BEGUN = -1;

    private final long warmUpNanos;
    private final long wholeNanos;
    private final long madeNanos = System.nanoTime();
    private final AtomicLong startNanos = new AtomicLong(NOT_BEGUN);

    /** The clock of a run that begins with its first user. */
    RunClock(FeedPlan.Load load) {
        this.warmUpNanos = load.warmUp().toNanos();
        this.wholeNanos = load.whole().toNanos();
    }

    /** A user comes. Gatling needs seconds for its own start where the machine is busy, so that the first one counts. */
    void userComes() {
        startNanos.compareAndSet(NOT_BEGUN, sinceMade());
    }

    private long sinceMade() {
        return System.nanoTime() - madeNanos;
    }

    private long elapsed() {
        long start = startNanos.get();
        return start == NOT_BEGUN ? 0 : sinceMade() - start;
    }

    boolean runs() {
        return elapsed() < wholeNanos;
    }

    /** The group in which an operation that begins now is counted, if it belongs to this one in the measured part. */
    String group(String measured) {
        long now = elapsed();
        return now < warmUpNanos ? WARM_UP : now < wholeNanos ? measured : AFTERWARDS;
    }
}

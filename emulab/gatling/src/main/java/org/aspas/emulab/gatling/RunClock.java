package org.aspas.emulab.gatling;

/** Which part of a run it is. Thread-safe. */
final class RunClock {
    /** The group of what is done before the measured part. */
    static final String WARM_UP = "warm-up";

    /** The group of what is done after it. */
    static final String AFTERWARDS = "afterwards";

    private final long warmUpNanos;
    private final long wholeNanos;
    private volatile long startNanos = System.nanoTime();

    /** The clock of a run that has not begun. */
    RunClock(FeedPlan.Load load) {
        this.warmUpNanos = load.warmUp().toNanos();
        this.wholeNanos = load.whole().toNanos();
    }

    /** The run begins. */
    void begin() {
        startNanos = System.nanoTime();
    }

    /** Whether operations are to be begun. */
    boolean runs() {
        return System.nanoTime() - startNanos < wholeNanos;
    }

    /** The group in which an operation that begins now is counted, if it belongs to this one in the measured part. */
    String group(String measured) {
        long now = System.nanoTime() - startNanos;
        return now < warmUpNanos ? WARM_UP : now < wholeNanos ? measured : AFTERWARDS;
    }
}

package org.aspas.emulab.lab.delay;

/** When the world's timeline began, if it has. Thread-safe. */
final class FaultClock {
    private volatile boolean runs;
    private volatile long start;

    /** Begins, at a moment of {@link System#nanoTime}; earlier and later ones than now are fine. */
    void begin(long moment) {
        start = moment;
        runs = true;
    }

    /** Ends all faults. */
    void end() {
        runs = false;
    }

    boolean runs() {
        return runs;
    }

    /** When it began; means something while it runs. */
    long start() {
        return start;
    }
}

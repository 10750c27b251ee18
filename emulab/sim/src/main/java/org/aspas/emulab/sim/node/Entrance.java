package org.aspas.emulab.sim.node;

/** Where bytes enter one direction of a link: one frame after the other, in the order in which they are sent. */
public final class Entrance {
    private static final long NANOS = 1_000;

    private long freeNanos;

    /**
     * A frame is sent.
     *
     * @param micros the moment at which it could begin to enter
     * @param nanos how long its bytes take to enter, 0 without a bound
     * @return the moment at which all of it has entered, in microseconds, rounded up
     */
    public long entered(long micros, long nanos) {
        freeNanos = Math.max(freeNanos, micros * NANOS) + nanos;
        return (freeNanos + NANOS - 1) / NANOS;
    }
}

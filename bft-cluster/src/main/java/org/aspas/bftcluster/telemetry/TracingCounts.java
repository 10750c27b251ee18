package org.aspas.bftcluster.telemetry;

/**
 * What became of the sampled spans of a node that ended since its start.
 *
 * @param exported taken by the receiver
 * @param overflowed dropped because the queue to the receiver was full
 * @param undelivered dropped because the receiver did not take them
 */
public record TracingCounts(long exported, long overflowed, long undelivered) {
    /** Without tracing. */
    public static final TracingCounts NONE = new TracingCounts(0, 0, 0);
}

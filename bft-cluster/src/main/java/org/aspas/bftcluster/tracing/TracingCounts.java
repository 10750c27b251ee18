package org.aspas.bftcluster.tracing;

/**
 * What became of the spans of a node since its start.
 *
 * @param ended sampled spans that ended
 * @param exported of those, taken by the receiver
 * @param overflowed of those, dropped because the queue to the receiver was full
 * @param undelivered of those, dropped because the receiver did not take them
 */
public record TracingCounts(long ended, long exported, long overflowed, long undelivered) {
    /** Without tracing. */
    public static final TracingCounts NONE = new TracingCounts(0, 0, 0, 0);
}

package org.aspas.emulab.experiments.report;

import org.HdrHistogram.Histogram;

/**
 * A distribution of durations in a few numbers, in milliseconds; all 0 when nothing was counted.
 *
 * @param count how many durations
 * @param mean their mean
 * @param p50 the median
 * @param p95 the 95th percentile
 * @param p99 the 99th percentile
 * @param max the longest
 */
public record Summary(long count, double mean, double p50, double p95, double p99, double max) {
    private static final double MICROS_PER_MILLI = 1000.0;

    /** The summary of durations in microseconds. */
    public static Summary ofMicros(Histogram micros) {
        if (micros.getTotalCount() == 0) {
            return new Summary(0, 0, 0, 0, 0, 0);
        }
        return new Summary(
                micros.getTotalCount(),
                micros.getMean() / MICROS_PER_MILLI,
                micros.getValueAtPercentile(50) / MICROS_PER_MILLI,
                micros.getValueAtPercentile(95) / MICROS_PER_MILLI,
                micros.getValueAtPercentile(99) / MICROS_PER_MILLI,
                micros.getMaxValue() / MICROS_PER_MILLI);
    }
}

package org.aspas.emulab.experiments.report;

import org.HdrHistogram.Histogram;

/** A distribution of durations in a few numbers, in milliseconds; all 0 when nothing was counted. */
public record Summary(long count, double mean, double p50, double p95, double p99, double max) {
    private static final double MICROS_PER_MILLI = 1000.0;

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

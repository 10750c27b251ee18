package org.aspas.certify.lag;

import java.util.Arrays;
import java.util.List;

/**
 * Durations in a few numbers, in microseconds; all 0 when there are none.
 *
 * @param p50 the median: the least one that at least half of them do not exceed
 * @param p99 the least one that at least 99 of 100 do not exceed
 */
public record DurationFigures(long count, long mean, long p50, long p99) {
    private static final long NANOS_PER_MICRO = 1000;

    public static final DurationFigures NONE = new DurationFigures(0, 0, 0, 0);

    /** The figures of durations in nanoseconds, in any order. */
    public static DurationFigures of(long[] nanos) {
        if (nanos.length == 0) {
            return NONE;
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        long sum = Arrays.stream(sorted).sum();
        return new DurationFigures(
                sorted.length, sum / sorted.length / NANOS_PER_MICRO, rank(sorted, 50), rank(sorted, 99));
    }

    /**
     * Figures of several nodes together, where the durations themselves are not at hand: the means are weighted by the counts, and so are
     * the medians, which is no median any more; the 99th percentile is the worst one.
     */
    public static DurationFigures together(List<DurationFigures> nodes) {
        long count = nodes.stream().mapToLong(DurationFigures::count).sum();
        if (count == 0) {
            return NONE;
        }
        return new DurationFigures(
                count,
                nodes.stream().mapToLong(one -> one.count * one.mean).sum() / count,
                nodes.stream().mapToLong(one -> one.count * one.p50).sum() / count,
                nodes.stream().mapToLong(DurationFigures::p99).max().orElse(0));
    }

    private static long rank(long[] sorted, int percent) {
        int rank = (int) ((sorted.length * (long) percent + 99) / 100);
        return sorted[Math.max(rank, 1) - 1] / NANOS_PER_MICRO;
    }
}

package org.aspas.certify.lag;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The newest durations of each step, so many of each; older ones are forgotten. Not thread-safe. */
public final class StepDurations {
    public static final int KEPT = 2048;

    /** For how long the gauges look back, in nanoseconds. */
    public static final long GAUGE_NANOS = 60_000_000_000L;

    private final Map<LagStep, Ring> rings = new EnumMap<>(LagStep.class);

    /** The same durations, to which nothing is added: for another thread. */
    public StepDurations copy() {
        StepDurations copy = new StepDurations();
        rings.forEach((step, ring) -> copy.rings.put(step, ring.copy()));
        return copy;
    }

    public void add(LagStep step, long endNanos, long nanos) {
        rings.computeIfAbsent(step, any -> new Ring()).add(endNanos, nanos);
    }

    /** The durations of a step that ended at a moment or later, in nanoseconds, the oldest first. */
    public long[] since(LagStep step, long fromNanos) {
        Ring ring = rings.get(step);
        return ring == null ? new long[0] : ring.since(fromNanos);
    }

    /**
     * Adds gauges such as {@code lag_broadcast_p50_micros}, for each step that ended in the last minute: {@code count}, {@code
     * mean_micros}, {@code p50_micros} and {@code p99_micros}.
     */
    public void measure(Map<String, Long> gauges, long nowNanos) {
        for (LagStep step : LagStep.values()) {
            DurationFigures figures = DurationFigures.of(since(step, nowNanos - GAUGE_NANOS));
            if (figures.count() > 0) {
                gauges.put(gauge(step, "count"), figures.count());
                gauges.put(gauge(step, "mean_micros"), figures.mean());
                gauges.put(gauge(step, "p50_micros"), figures.p50());
                gauges.put(gauge(step, "p99_micros"), figures.p99());
            }
        }
    }

    /** The figures of all durations that several nodes of this process measured from a moment on; steps without any are left out. */
    public static Map<LagStep, DurationFigures> together(List<StepDurations> nodes, long fromNanos) {
        Map<LagStep, DurationFigures> all = new EnumMap<>(LagStep.class);
        for (LagStep step : LagStep.values()) {
            long[] durations = nodes.stream()
                    .flatMapToLong(node -> Arrays.stream(node.since(step, fromNanos)))
                    .toArray();
            if (durations.length > 0) {
                all.put(step, DurationFigures.of(durations));
            }
        }
        return all;
    }

    /** The figures that the gauges of a node tell, as {@link #measure} names them; steps without any are left out. */
    public static Map<LagStep, DurationFigures> read(ToLongFunction<String> gauges) {
        Map<LagStep, DurationFigures> all = new EnumMap<>(LagStep.class);
        for (LagStep step : LagStep.values()) {
            long count = gauges.applyAsLong(gauge(step, "count"));
            if (count > 0) {
                all.put(
                        step,
                        new DurationFigures(
                                count,
                                gauges.applyAsLong(gauge(step, "mean_micros")),
                                gauges.applyAsLong(gauge(step, "p50_micros")),
                                gauges.applyAsLong(gauge(step, "p99_micros"))));
            }
        }
        return all;
    }

    public static String gauge(LagStep step, String figure) {
        return "lag_" + step.key() + "_" + figure;
    }

    /** The newest durations of one step, with the moments at which they ended. */
    private static final class Ring {
        private final long[] ends;
        private final long[] durations;
        private long count;

        Ring() {
            this(new long[KEPT], new long[KEPT], 0);
        }

        private Ring(long[] ends, long[] durations, long count) {
            this.ends = ends;
            this.durations = durations;
            this.count = count;
        }

        Ring copy() {
            return new Ring(ends.clone(), durations.clone(), count);
        }

        void add(long end, long duration) {
            int place = (int) (count++ % KEPT);
            ends[place] = end;
            durations[place] = duration;
        }

        long[] since(long from) {
            long[] found = new long[KEPT];
            int size = 0;
            for (long at = Math.max(0, count - KEPT); at < count; at++) {
                int place = (int) (at % KEPT);
                if (ends[place] - from >= 0) {
                    found[size++] = durations[place];
                }
            }
            return Arrays.copyOf(found, size);
        }
    }
}

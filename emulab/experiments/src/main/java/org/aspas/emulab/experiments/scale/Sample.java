package org.aspas.emulab.experiments.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Times of one thing that was done several times, in milliseconds. For one thread. */
public final class Sample {
    private static final double NANOS = 1e6;

    private final String name;
    private final List<Double> millis = new ArrayList<>();

    public Sample(String name) {
        this.name = name;
    }

    /** Notes that it took from a moment of {@link System#nanoTime} until now. */
    public void since(long nanos) {
        millis.add((System.nanoTime() - nanos) / NANOS);
    }

    public void add(double time) {
        millis.add(time);
    }

    public String name() {
        return name;
    }

    public int count() {
        return millis.size();
    }

    /**
     * The time that a part of all did not exceed; 0 when nothing was measured.
     *
     * @param part 0.5 for the median; above 0, at most 1
     */
    public double quantile(double part) {
        List<Double> sorted = millis.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(part * sorted.size()) - 1);
    }

    public String line() {
        return String.format(
                Locale.ROOT,
                "  %-46s p50 %9.2f ms  p99 %9.2f ms  (%d times)",
                name,
                quantile(0.5),
                quantile(0.99),
                count());
    }
}

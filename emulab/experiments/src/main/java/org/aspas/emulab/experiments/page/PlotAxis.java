package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One direction of a plot: which values stand where, and which have a tick.
 *
 * @param label what it shows, with its unit
 * @param logarithmic whether equal ratios are equally far apart; all values must be above 0 then
 * @param high the greatest value shown, above {@code low}
 * @param marked the values that have a tick; none for round ones
 */
record PlotAxis(String label, boolean logarithmic, double low, double high, List<Double> marked) {
    private static final int WANTED_TICKS = 6;
    private static final int MOST_TICKS = 8;
    private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0, 10.0);

    /** An axis with round ticks. */
    PlotAxis(String label, boolean logarithmic, double low, double high) {
        this(label, logarithmic, low, high, List.of());
    }

    PlotAxis {
        marked = List.copyOf(marked);
        if (!(low < high) || (logarithmic && low <= 0)) {
            throw new IllegalArgumentException(label + ": no axis from " + low + " to " + high);
        }
    }

    /** An axis from 0 to a round value that holds all of these. */
    static PlotAxis fromZero(String label, List<Double> values) {
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        if (most <= 0) {
            return new PlotAxis(label, false, 0, 1);
        }
        double step = step(most);
        return new PlotAxis(label, false, 0, Math.ceil(most / step - 1e-9) * step);
    }

    /** A logarithmic axis that holds all of these that are above 0, with some room on both sides. */
    static PlotAxis logarithmic(String label, List<Double> values) {
        double least = values.stream()
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        double most = Math.max(
                least, values.stream().mapToDouble(Double::doubleValue).max().orElse(least));
        double room = Math.max(1.1, Math.pow(most / least, 0.04));
        return new PlotAxis(label, true, least / room, most * room);
    }

    /** The same axis with ticks at these values, if they are few. */
    PlotAxis marking(List<Double> values) {
        List<Double> different = values.stream().distinct().sorted().toList();
        return different.size() <= MOST_TICKS ? new PlotAxis(label, logarithmic, low, high, different) : this;
    }

    /** Where a value stands, 0 at the low end to 1 at the high end; values outside stand at the ends. */
    double place(double value) {
        double inside = Math.max(low, Math.min(high, value));
        return logarithmic ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
    }

    /** The values that have a tick, the lowest first. */
    List<Double> ticks() {
        if (!marked.isEmpty()) {
            return marked;
        }
        return logarithmic ? roundRatios() : roundSteps();
    }

    private List<Double> roundSteps() {
        List<Double> ticks = new ArrayList<>();
        double step = step(high - low);
        for (double k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
            ticks.add(k * step + 0.0);
        }
        return ticks;
    }

    private List<Double> roundRatios() {
        for (List<Double> digits : List.of(List.of(1.0, 2.0, 5.0), List.of(1.0, 3.0), List.of(1.0))) {
            List<Double> ticks = new ArrayList<>();
            for (int power = (int) Math.floor(Math.log10(low)); Math.pow(10, power) <= high; power++) {
                for (double digit : digits) {
                    double tick = digit * Math.pow(10, power);
                    if (tick >= low && tick <= high) {
                        ticks.add(tick);
                    }
                }
            }
            if (ticks.size() <= MOST_TICKS) {
                return ticks.size() < 2 ? List.of(low, high) : ticks;
            }
        }
        return List.of(low, high);
    }

    private static double step(double range) {
        double power = Math.pow(10, Math.floor(Math.log10(range / WANTED_TICKS)));
        return STEPS.stream()
                .map(step -> step * power)
                .filter(step -> range / step <= WANTED_TICKS + 1e-9)
                .findFirst()
                .orElse(10 * power);
    }

    /** A value as it stands beside its tick, or in a table: three digits that count. */
    static String shown(double value) {
        double size = Math.abs(value);
        if (size >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
        return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
    }
}

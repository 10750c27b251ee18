package org.aspas.emulab.experiments.result;

import java.util.List;

/**
 * One figure over the repetitions of a point.
 *
 * @param median the middle one, or the mean of the middle two
 * @param count how many repetitions, from 1
 */
public record RepetitionSpread(double median, double low, double high, int count) {
    /**
     * The spread of these figures.
     *
     * @throws IllegalArgumentException without any
     */
    public static RepetitionSpread of(List<Double> figures) {
        if (figures.isEmpty()) {
            throw new IllegalArgumentException("no figures");
        }
        List<Double> sorted = figures.stream().sorted().toList();
        int count = sorted.size();
        double median = (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
        return new RepetitionSpread(median, sorted.get(0), sorted.get(count - 1), count);
    }
}

package org.aspas.emulab.experiments.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.aspas.emulab.experiments.plan.PlannedStep;

/**
 * How one run differs from another.
 *
 * @param settings what is not the same, such as the commit; empty when all is
 * @param ratios of each figure of each point that both have
 * @param onlyOne the points that only one of them has, or has valid
 */
public record RunDifference(List<Setting> settings, List<Ratio> ratios, List<String> onlyOne) {
    private static final List<String> FIGURES =
            List.of("operations_per_second", "update_p50_ms", "update_p99_ms", "lag_p50_ms", "cpu_ms_per_operation");

    public RunDifference {
        settings = List.copyOf(settings);
        ratios = List.copyOf(ratios);
        onlyOne = List.copyOf(onlyOne);
    }

    /** A setting that differs. */
    public record Setting(String name, String first, String second) {}

    /**
     * A figure of a point in both runs.
     *
     * @param first the first run's median
     * @param second the second run's median
     * @param ratio second : first
     * @param low the least ratio of any repetition of the second to any of the first
     * @param high the greatest
     */
    public record Ratio(
            String point, String figure, double first, double second, double ratio, double low, double high) {}

    /**
     * Compares two run folders.
     *
     * @param first the yardstick
     */
    public static RunDifference between(
            RunFolder first, List<PlannedStep> firstSteps, RunFolder second, List<PlannedStep> secondSteps)
            throws IOException {
        Map<String, MeasuredPoint> one = points(first.measured(firstSteps));
        Map<String, MeasuredPoint> other = points(second.measured(secondSteps));
        List<Ratio> ratios = new ArrayList<>();
        List<String> onlyOne = new ArrayList<>();
        TreeSet<String> names = new TreeSet<>(one.keySet());
        names.addAll(other.keySet());
        for (String name : names) {
            MeasuredPoint left = one.get(name);
            MeasuredPoint right = other.get(name);
            if (left == null || right == null) {
                onlyOne.add(name);
            } else {
                FIGURES.forEach(figure -> ratio(left, right, figure).ifPresent(ratios::add));
            }
        }
        return new RunDifference(settings(first.facts(), second.facts()), ratios, onlyOne);
    }

    private static Map<String, MeasuredPoint> points(List<MeasuredStep> steps) {
        Map<String, MeasuredPoint> points = new LinkedHashMap<>();
        MeasuredPoint.of(steps).stream()
                .filter(MeasuredPoint::valid)
                .forEach(point -> points.put(point.first().point(), point));
        return points;
    }

    private static Optional<Ratio> ratio(MeasuredPoint left, MeasuredPoint right, String figure) {
        Optional<RepetitionSpread> first = left.figure(figure).filter(spread -> spread.low() > 0);
        return first.flatMap(one -> right.figure(figure)
                .map(other -> new Ratio(
                        left.first().point(),
                        figure,
                        one.median(),
                        other.median(),
                        other.median() / one.median(),
                        other.low() / one.high(),
                        other.high() / one.low())));
    }

    private static List<Setting> settings(RunFacts first, RunFacts second) {
        List<Setting> differing = new ArrayList<>();
        MachineFacts one = first.machine();
        MachineFacts other = second.machine();
        note(differing, "experiment", first.experiment(), second.experiment());
        note(differing, "quick", first.quick(), second.quick());
        note(differing, "experiment file", first.planHash(), second.planHash());
        note(differing, "worlds", first.worldHashes(), second.worldHashes());
        note(differing, "seed", first.seed(), second.seed());
        note(differing, "commit", one.commit(), other.commit());
        note(differing, "uncommitted changes", one.changed(), other.changed());
        note(differing, "processor", one.cpu(), other.cpu());
        note(differing, "cores", one.cores(), other.cores());
        note(differing, "memory, MiB", one.memoryMebibytes(), other.memoryMebibytes());
        note(differing, "kernel", one.kernel(), other.kernel());
        note(differing, "Java", one.java(), other.java());
        return differing;
    }

    private static void note(List<Setting> differing, String name, Object first, Object second) {
        if (!first.equals(second)) {
            differing.add(new Setting(name, String.valueOf(first), String.valueOf(second)));
        }
    }
}

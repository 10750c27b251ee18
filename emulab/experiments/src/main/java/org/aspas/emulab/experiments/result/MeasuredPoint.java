package org.aspas.emulab.experiments.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.emulab.experiments.plan.PlannedStep;

/**
 * All repetitions of one system under one load.
 *
 * @param first the step of the first of them
 * @param repetitions in the order in which they were measured; at least one
 */
public record MeasuredPoint(PlannedStep first, List<MeasuredStep> repetitions) {
    public MeasuredPoint {
        repetitions = List.copyOf(repetitions);
    }

    /** The points of these steps, in the order of each one's first step. */
    public static List<MeasuredPoint> of(List<MeasuredStep> steps) {
        Map<String, List<MeasuredStep>> points = new LinkedHashMap<>();
        steps.forEach(step -> points.computeIfAbsent(step.step().point(), any -> new ArrayList<>())
                .add(step));
        return points.values().stream()
                .map(all -> new MeasuredPoint(all.get(0).step(), all))
                .toList();
    }

    /** Whether every repetition is valid: one that is not leaves nothing to compare. */
    public boolean valid() {
        return repetitions.stream().allMatch(MeasuredStep::valid);
    }

    /** A figure over the repetitions that have it; empty when none has it, or one is invalid. */
    public Optional<RepetitionSpread> figure(String name) {
        List<Double> figures = repetitions.stream()
                .filter(step -> step.figures().containsKey(name))
                .map(step -> step.figures().get(name))
                .toList();
        return figures.isEmpty() || !valid() ? Optional.empty() : Optional.of(RepetitionSpread.of(figures));
    }
}

package org.aspas.emulab.experiments.result;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.emulab.experiments.plan.PlannedStep;

/**
 * What came out of one step.
 *
 * @param figures by name (docs/experiments.md, "Figures")
 * @param invalid why the figures mean nothing, such as a generator without processors to spare; empty when they do
 * @param problems what went wrong in the system, as sentences; empty for a clean run
 * @param timeline how it went, a moment each second
 */
public record MeasuredStep(
        PlannedStep step,
        SortedMap<String, Double> figures,
        List<String> invalid,
        List<String> problems,
        List<Moment> timeline) {
    public MeasuredStep {
        figures = Collections.unmodifiableSortedMap(new TreeMap<>(figures));
        invalid = List.copyOf(invalid);
        problems = List.copyOf(problems);
        timeline = List.copyOf(timeline);
    }

    /** Whether its figures may be drawn and compared. */
    public boolean valid() {
        return invalid.isEmpty();
    }

    /**
     * A second of a step.
     *
     * @param second since the measurement began
     * @param operations that ended successfully within the second
     * @param updateP50Millis the median latency of the updates that ended within it; 0 without any
     * @param updateP99Millis the 99th percentile; 0 without any
     * @param unconfirmed updates of all clients that were unconfirmed at its end
     */
    public record Moment(
            double second, long operations, double updateP50Millis, double updateP99Millis, long unconfirmed) {}
}

package org.aspas.emulab.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.report.Summary;
import org.aspas.emulab.sim.node.Processors;
import org.aspas.emulab.sim.script.LoadFigures;

/** The figures of a simulated step, by the names that docs/experiments.md gives them. */
final class SimulatedFigures {
    private SimulatedFigures() {}

    /** The names of the figures that only simulated steps have. */
    static List<String> names() {
        List<String> names = new ArrayList<>(List.of("simulation_seconds"));
        for (Processors.Side side : Processors.Side.values()) {
            names.add(busiest(side));
        }
        return names;
    }

    private static String busiest(Processors.Side side) {
        return "busiest_" + side.name().toLowerCase(Locale.ROOT) + "_percent";
    }

    /**
     * The figures.
     *
     * @param updates from submissions to answers, in microseconds
     * @param lag from submissions to confirmations, in microseconds
     */
    static SortedMap<String, Double> of(LoadFigures load, Histogram updates, Histogram lag) {
        SortedMap<String, Double> figures = new TreeMap<>();
        figures.put("operations_per_second", load.throughput());
        figures.put("little_ratio", load.little());
        StepFigures.latency(figures, "all", Summary.ofMicros(updates));
        StepFigures.latency(figures, "update", Summary.ofMicros(updates));
        StepFigures.latency(figures, "lag", Summary.ofMicros(lag));
        for (LoadFigures.SideUsage side : load.sides()) {
            figures.put(busiest(side.side()), 100 * side.busiest());
        }
        return figures;
    }
}

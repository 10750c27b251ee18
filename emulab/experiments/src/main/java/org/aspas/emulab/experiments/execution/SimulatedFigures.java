package org.aspas.emulab.experiments.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.sim.processor.Processors;
import org.aspas.emulab.sim.run.LoadFigures;

/** The figures of a simulated step, by the names that docs/experiments.md gives them. */
final class SimulatedFigures {
    private static final double MICROS_PER_MILLI = 1e3;

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
        latency(figures, "all", updates);
        latency(figures, "update", updates);
        latency(figures, "lag", lag);
        for (LoadFigures.SideUsage side : load.sides()) {
            figures.put(busiest(side.side()), 100 * side.busiest());
        }
        return figures;
    }

    private static void latency(SortedMap<String, Double> figures, String what, Histogram micros) {
        if (micros.getTotalCount() > 0) {
            figures.put(what + "_p50_ms", micros.getValueAtPercentile(50) / MICROS_PER_MILLI);
            figures.put(what + "_p95_ms", micros.getValueAtPercentile(95) / MICROS_PER_MILLI);
            figures.put(what + "_p99_ms", micros.getValueAtPercentile(99) / MICROS_PER_MILLI);
            figures.put(what + "_mean_ms", micros.getMean() / MICROS_PER_MILLI);
            figures.put(what + "_max_ms", micros.getMaxValue() / MICROS_PER_MILLI);
        }
    }
}

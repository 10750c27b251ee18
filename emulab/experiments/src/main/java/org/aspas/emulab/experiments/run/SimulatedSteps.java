package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.StepMeter;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.LoadFigures;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.aspas.emulab.sim.world.WorldMap;

/** Runs steps in virtual time on machines where work takes time, as {@code simulate --costs} does. */
final class SimulatedSteps implements StepRunner {
    private static final int CORES = 2;
    private static final int CLIENTS_PER_MACHINE = 50;
    private static final int SHOWN_VIOLATIONS = 5;
    private static final long FAULT_PAUSE_MICROS = 800_000;
    private static final Map<String, Workload.Mix> WORKLOADS =
            Map.of("update counters", Workload.Mix.COUNTERS, "update sets", Workload.Mix.SETS);

    private final Map<String, WorldMap> worlds;
    private final CostSource source;

    /** What work costs in a run: asked for before each step, and the same each time. */
    interface CostSource {
        /** The costs, which may be measured now. */
        CostFile costs() throws IOException;
    }

    SimulatedSteps(Map<String, WorldMap> worlds, CostSource source) {
        this.worlds = Map.copyOf(worlds);
        this.source = source;
    }

    static List<String> systems() {
        List<String> names = new ArrayList<>();
        for (LoadedSystem system : LoadedSystem.values()) {
            names.add(system.name().toLowerCase(Locale.ROOT));
        }
        return names;
    }

    static List<String> workloads() {
        return WORKLOADS.keySet().stream().sorted().toList();
    }

    /** Measures what work costs, where that is not known yet. */
    @Override
    public void prepare() throws IOException {
        source.costs();
    }

    @Override
    public Outcome run(PlannedStep step) throws IOException {
        Settings settings = settings(step, source.costs());
        long begun = System.nanoTime();
        RunResult result = Simulation.run(settings);
        double seconds = (System.nanoTime() - begun) / 1e9;
        LoadFigures load =
                Optional.ofNullable(result.load()).orElseThrow(() -> new IllegalStateException("a run without a load"));
        Histogram updates = histogram(load.measured().latencies());
        Histogram lag = histogram(load.measured().lags());
        SortedMap<String, Double> figures = SimulatedFigures.of(load, updates, lag);
        figures.put("simulation_seconds", seconds);
        MeasuredStep measured = new MeasuredStep(step, figures, List.of(), problems(result, load), List.of());
        return new Outcome(measured, histograms(updates, lag));
    }

    private Settings settings(PlannedStep step, CostFile costs) {
        WorldMap world = Optional.ofNullable(worlds.get(step.world()))
                .orElseThrow(() -> new IllegalArgumentException("there is no world " + step.world()));
        Workload.Mix workload = Optional.ofNullable(WORKLOADS.get(step.workload()))
                .orElseThrow(() -> new IllegalArgumentException("nothing simulates the workload " + step.workload()));
        ProcessorModel model = new ProcessorModel(
                costs.costs(),
                CORES,
                CLIENTS_PER_MACHINE,
                false,
                LoadedSystem.valueOf(step.system().toUpperCase(Locale.ROOT)),
                step.warmUpMicros(),
                StepMeter.NONE);
        return Settings.of(step.seed())
                .withFaults(Set.of(), FAULT_PAUSE_MICROS)
                .withFaultBounds(step.f(), step.b())
                .withClients(step.clients(), 0)
                .withMicros(step.warmUpMicros() + step.micros())
                .withWorld(world)
                .withWorkload(workload)
                .withProcessors(model);
    }

    private static Histogram histogram(List<Long> micros) {
        Histogram histogram = new Histogram(3);
        micros.forEach(histogram::recordValue);
        return histogram;
    }

    private static Map<String, Histogram> histograms(Histogram updates, Histogram lag) {
        Map<String, Histogram> histograms = new TreeMap<>(Map.of("update", updates, "lag", lag));
        histograms.values().removeIf(histogram -> histogram.getTotalCount() == 0);
        return histograms;
    }

    private static List<String> problems(RunResult result, LoadFigures load) {
        List<String> problems = new ArrayList<>(result.violations().stream()
                .limit(SHOWN_VIOLATIONS)
                .map(Violation::toString)
                .toList());
        if (load.answers() == 0) {
            problems.add("no update was answered");
        }
        return problems;
    }
}

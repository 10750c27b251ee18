package org.aspas.emulab.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.plan.StepSelection;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.sim.node.CostFile;
import org.aspas.emulab.sim.node.Costs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Experiments in virtual time, with costs from a file. */
class SimulatedStepsTest {
    private static final String PLAN = """
        name: virtual
        about: Two systems in the simulator.
        on: simulator
        costs: COSTS
        systems: [aspas0, ap]
        worlds: paper
        workloads: update counters
        clients: 5
        warmup: 1 s
        duration: 1 s
        """;

    @TempDir
    Path folder;

    private Path costs = Path.of("");
    private Path plan = Path.of("");

    @BeforeEach
    void write() throws Exception {
        costs = folder.resolve("mine.json");
        plan = folder.resolve("virtual.yaml");
        Files.writeString(costs, file("one machine").text());
        Files.writeString(plan, PLAN.replace("COSTS", costs.toString()));
    }

    private static CostFile file(String machine) {
        return new CostFile(CostFile.VERSION, machine, "2026-11-22", Map.of(), Map.of(), Costs.FREE);
    }

    private RunFolder run(LoadedExperiment experiment, String name) throws Exception {
        RunFolder run = new RunFolder(folder.resolve(name));
        assertThat(experiment
                        .in(run, "test", Terminal.of(new PrintWriter(Writer.nullWriter())))
                        .run(StepSelection.ALL))
                .isEqualTo(ExperimentExecution.Ending.GOOD);
        return run;
    }

    private static List<SortedMap<String, Double>> figures(RunFolder run, LoadedExperiment experiment)
            throws Exception {
        return run.measured(experiment.plan().steps()).stream()
                .map(MeasuredStep::figures)
                .<SortedMap<String, Double>>map(TreeMap::new)
                .peek(figures -> figures.remove("simulation_seconds"))
                .toList();
    }

    @Test
    void aSimulatedStepIsARoundTripLongAndTheSameInARerun() throws Exception {
        LoadedExperiment experiment = LoadedExperiment.of(plan.toString(), false);
        RunFolder first = run(experiment, "first");
        List<SortedMap<String, Double>> figures = figures(first, experiment);
        assertThat(figures).hasSize(2).allSatisfy(step -> {
            assertThat(step.get("update_p50_ms")).as("one round trip").isBetween(69.0, 75.0);
            assertThat(step.get("operations_per_second")).isCloseTo(5 / 0.07, within(5.0));
            assertThat(step.get("lag_p50_ms")).isGreaterThan(step.get("update_p50_ms"));
        });
        assertThat(first.measured(experiment.plan().steps()))
                .allSatisfy(step -> assertThat(step.figures()).containsKey("simulation_seconds"));
        assertThat(first.histograms(experiment.plan().steps().get(0)).keySet()).containsExactly("lag", "update");
        assertThat(Files.readString(first.path().resolve("index.html"))).contains("on one machine");

        Files.delete(costs);
        LoadedExperiment again = LoadedExperiment.of(first);
        assertThat(again.costs()).contains(file("one machine"));
        assertThat(figures(run(again, "second"), again)).isEqualTo(figures);
    }

    @Test
    void aRunDoesNotGoOnWithOtherCosts() throws Exception {
        LoadedExperiment experiment = LoadedExperiment.of(plan.toString(), false);
        RunFolder first = run(experiment, "first");
        Files.writeString(costs, file("another machine").text());
        LoadedExperiment other = LoadedExperiment.of(plan.toString(), false);
        Terminal terminal = Terminal.of(new PrintWriter(Writer.nullWriter()));
        assertThatThrownBy(() -> other.in(first, "test", terminal))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("with other settings");
    }
}

package org.aspas.emulab.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlanReader;
import org.aspas.emulab.experiments.plan.PlanVocabulary;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.StepLoad;
import org.aspas.emulab.experiments.plan.StepSelection;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.result.MachineFacts;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.RunDifference;
import org.aspas.emulab.experiments.result.RunFacts;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of an experiment whose steps are made up: what is kept, what is run again, and what the page says. */
class ExperimentExecutionTest {
    private static final String PLAN = """
        name: made-up
        about: Steps that take no time, with <figures> that are known.
        systems: [aspas2, ap]
        worlds: aws5
        workloads: A counters
        clients: [1, 10, 100]
        repetitions: 2
        duration: 1 s
        claims:
          - {claim: as fast as without, source: Figure 4a, paper: about 1, figure: update_p50_ms,
             of: {system: aspas2, clients: 10}, over: {system: ap, clients: 10}, band: -1.05, required: true}
          - {claim: many clients, source: Figure 4b, figure: operations_per_second,
             of: {system: ap, clients: 100}, band: 1-2}
          - {claim: fifty machines, source: §5.1, not_comparable: there is one machine here}
        """;

    @TempDir
    Path folder;

    private final List<String> ran = new ArrayList<>();
    private final StringWriter printed = new StringWriter();
    private ExperimentPlan plan = new ExperimentPlan("", "", 1, "", List.of(), List.of());

    @BeforeEach
    void begin() throws Exception {
        PlanVocabulary words = new PlanVocabulary(
                new PlanVocabulary.Names(List.of("aspas2", "ap"), List.of("A counters")),
                new PlanVocabulary.Names(List.of(), List.of()),
                List.of("update_p50_ms", "operations_per_second"));
        plan = PlanReader.read("made-up.yaml", PLAN, false, words, world -> true);
        run().begin(
                        new RunFacts(
                                1,
                                "made-up",
                                false,
                                "f00d",
                                new TreeMap<>(),
                                1,
                                "2026-11-22",
                                "aspas",
                                MachineFacts.now()),
                        PLAN,
                        Map.of("aws5", ShippedWorlds.file("aws5").orElseThrow()));
    }

    private RunFolder run() {
        return new RunFolder(folder);
    }

    private ExperimentExecution.Ending execute(StepRunner runner) throws Exception {
        return execute(runner, StepSelection.ALL);
    }

    private ExperimentExecution.Ending execute(StepRunner runner, StepSelection selection) throws Exception {
        WorldMap world = WorldReader.read("aws5", Files.readString(run().world("aws5")), role -> true);
        return new ExperimentExecution(
                        Terminal.of(new PrintWriter(printed)),
                        run(),
                        plan,
                        Map.of("aws5", world),
                        Map.of(Substrate.SOCKETS, runner))
                .run(selection);
    }

    private StepRunner.Outcome made(PlannedStep step) {
        ran.add(step.id());
        Histogram updates = new Histogram(3);
        for (int i = 1; i <= 100; i++) {
            updates.recordValue(70_000 + 100L * i * step.clients());
        }
        TreeMap<String, Double> figures = new TreeMap<>();
        figures.put("operations_per_second", 10.0 * step.clients() + step.repetition());
        figures.put("update_p50_ms", 70 + step.clients() / 10.0 + step.repetition());
        figures.put("lag_p50_ms", 500.0);
        List<String> invalid = step.clients() == 100 && step.system().equals("ap")
                ? List.of("the generator took 95 % of a processor")
                : List.of();
        List<MeasuredStep.Moment> timeline =
                List.of(new MeasuredStep.Moment(1, 10, 71, 90, 3), new MeasuredStep.Moment(2, 12, 72, 91, 4));
        return new StepRunner.Outcome(
                new MeasuredStep(step, figures, invalid, List.of(), timeline), Map.of("update τ=1", updates));
    }

    @Test
    void aRunThatWasCutOffGoesOnAfterItsLastFinishedStep() throws Exception {
        assertThatThrownBy(() -> execute(step -> {
                    if (ran.size() == 5) {
                        throw new IOException("the machine went away");
                    }
                    return made(step);
                }))
                .hasMessage("the machine went away");
        assertThat(Files.exists(folder.resolve("index.html"))).isFalse();

        execute(this::made);
        assertThat(ran)
                .containsExactlyElementsOf(
                        plan.steps().stream().map(PlannedStep::id).toList());
        assertThat(printed.toString()).contains("finished before", "step 6 of 12, ", " left");

        ran.clear();
        execute(this::made);
        assertThat(ran).isEmpty();
    }

    @Test
    void onlyTheSelectedStepsRunAndTheOthersMayFollow() throws Exception {
        execute(this::made, new StepSelection(List.of(), true, false));
        assertThat(ran)
                .containsExactly(
                        "all-aspas2-aws5-a-counters-10-r1",
                        "all-ap-aws5-a-counters-10-r1",
                        "all-ap-aws5-a-counters-10-r2",
                        "all-aspas2-aws5-a-counters-10-r2",
                        "all-ap-aws5-a-counters-100-r1",
                        "all-ap-aws5-a-counters-100-r2");
        assertThat(Files.readString(folder.resolve("index.html")))
                .contains("6 of 12 steps, the others are not run yet");

        execute(this::made);
        assertThat(ran).hasSize(12).doesNotHaveDuplicates();
    }

    @Test
    void invalidStepsAloneAreRunAgainAndThePageSaysHowOften() throws Exception {
        StepSelection again = new StepSelection(List.of(), false, true);
        execute(this::made);
        List<String> invalid = List.of("all-ap-aws5-a-counters-100-r1", "all-ap-aws5-a-counters-100-r2");

        ran.clear();
        execute(this::made, again);
        assertThat(ran).as("still invalid").containsExactlyElementsOf(invalid);

        ran.clear();
        execute(
                step -> {
                    StepRunner.Outcome outcome = made(step);
                    MeasuredStep calm = new MeasuredStep(
                            step,
                            outcome.measured().figures(),
                            List.of(),
                            List.of(),
                            outcome.measured().timeline());
                    return new StepRunner.Outcome(calm, outcome.histograms());
                },
                again);
        assertThat(ran).containsExactlyElementsOf(invalid);
        assertThat(Files.readString(folder.resolve("index.html")))
                .contains("2 steps were run again, 4 times in all, as they had been invalid");

        ran.clear();
        execute(this::made, again);
        assertThat(ran).as("all are valid").isEmpty();
    }

    @Test
    void anEstimateSaysWhatEachPartTakesAndWhichClaimsItServes() {
        assertThat(RunEstimate.lines(plan, StepSelection.ALL))
                .as("15 s each for starting and stopping, 1 s measured")
                .containsExactly(
                        "all                        12 steps, about 3 min",
                        "    on sockets, f=1: aspas2, ap; aws5; A counters; clients 1, 10, 100; 2 repetitions",
                        "    claim: as fast as without (Figure 4a)",
                        "    claim: many clients (Figure 4b)",
                        "in all                     12 steps, about 3 min");
    }

    @Test
    void whatIsKeptIsWhatWasMeasured() throws Exception {
        execute(this::made);
        PlannedStep first = plan.steps().get(0);
        assertThat(run().measured(first)).contains(made(first).measured());
        assertThat(run().histograms(first).get("update_τ=1").getTotalCount()).isEqualTo(100);
        assertThat(run().facts().machine().cores()).isPositive();
        assertThat(Files.readString(folder.resolve("steps.csv")).lines()).hasSize(13);
    }

    @Test
    void aRunComparedWithItselfDiffersInNothing() throws Exception {
        execute(this::made);
        RunDifference same = RunDifference.between(run(), plan.steps(), run(), plan.steps());
        assertThat(same.settings()).isEmpty();
        assertThat(same.onlyOne()).isEmpty();
        assertThat(same.ratios())
                .as("five valid points, three of the figures each")
                .hasSize(15)
                .allSatisfy(ratio -> {
                    assertThat(ratio.ratio()).isEqualTo(1);
                    assertThat(ratio.low()).isLessThanOrEqualTo(1);
                    assertThat(ratio.high()).isGreaterThanOrEqualTo(1);
                });
        RunDifference half =
                RunDifference.between(run(), plan.steps(), run(), plan.steps().subList(0, 4));
        assertThat(half.onlyOne()).hasSize(3).contains("all-ap-aws5-a-counters-10");
    }

    @Test
    void aStepOfOtherSettingsIsNotTakenForThisOne() throws Exception {
        execute(this::made);
        PlannedStep one = plan.steps().get(0);
        PlannedStep longer = new PlannedStep(
                one.part(),
                one.substrate(),
                one.system(),
                one.world(),
                one.workload(),
                one.clients(),
                1,
                0,
                0,
                9,
                1,
                1,
                StepLoad.USUAL,
                1);
        assertThat(longer.id()).isEqualTo(one.id());
        assertThat(run().measured(longer)).isEmpty();
    }

    @Test
    void thePageSaysWhatIsRepeatedAndDrawsNothingInvalid() throws Exception {
        assertThat(execute(this::made))
                .as("a step is invalid, and the required claim differs")
                .isEqualTo(ExperimentExecution.Ending.INVALID);
        String page = Files.readString(folder.resolve("index.html"));
        assertThat(page)
                .contains("<tr class=\"repeats\">", "<tr class=\"not_comparable\">", "there is one machine here")
                .contains("invalid: the generator took 95 % of a processor", "2 of 12 steps are invalid")
                .contains("with &lt;figures&gt; that are known", "Montreal", "prefers-color-scheme: dark")
                .doesNotContain("<figures>", "src=\"", "@import", "https://");
        assertThat(Files.readString(folder.resolve("plots/load1-latency-by-clients.csv")))
                .contains("aspas2,100,81.5,81,82", "ap,10,72.5,72,73")
                .doesNotContain("ap,100");
    }
}

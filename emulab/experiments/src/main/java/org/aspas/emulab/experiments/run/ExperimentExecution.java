package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.page.ReportPage;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.StepSelection;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.result.ClaimJudge;
import org.aspas.emulab.experiments.result.ClaimOutcome;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.RepetitionSpread;
import org.aspas.emulab.experiments.result.RunFolder;
import org.aspas.emulab.sim.world.WorldMap;

/** One run of an experiment in its folder, from the first step that is not finished. */
public final class ExperimentExecution {
    private static final double NANOS = 1e9;

    private final Terminal terminal;
    private final RunFolder folder;
    private final ExperimentPlan plan;
    private final Map<String, WorldMap> worlds;
    private final Map<Substrate, StepRunner> runners;

    /**
     * Takes a folder in which the run was begun.
     *
     * @param worlds by their names in the plan
     * @param runners for each substrate of the plan
     */
    public ExperimentExecution(
            Terminal terminal,
            RunFolder folder,
            ExperimentPlan plan,
            Map<String, WorldMap> worlds,
            Map<Substrate, StepRunner> runners) {
        this.terminal = terminal;
        this.folder = folder;
        this.plan = plan;
        this.worlds = new LinkedHashMap<>(worlds);
        this.runners = Map.copyOf(runners);
    }

    public enum Ending {
        /** Every step is valid and clean, and every required claim is repeated. */
        GOOD,
        /** Nothing went wrong, but a step is invalid: the machine was too busy to tell. */
        INVALID,
        /** Something went wrong in a step, or a required claim differs. */
        BAD
    }

    /**
     * Runs every selected step that is not finished, then writes the page of all that are.
     *
     * @throws IllegalArgumentException when the selection names what the plan does not have
     */
    public Ending run(StepSelection selection) throws IOException, InterruptedException, TimeoutException {
        List<PlannedStep> steps = selection.of(plan);
        RemainingTime remaining = new RemainingTime(steps);
        int number = 0;
        boolean valid = true;
        boolean clean = true;
        for (PlannedStep step : steps) {
            number++;
            String which = "step " + number + " of " + steps.size() + ", " + step.id();
            MeasuredStep measured = folder.measured(step).orElse(null);
            if (measured != null && !measured.valid() && selection.invalidAgain()) {
                folder.setAside(step);
                measured = null;
            }
            if (measured == null) {
                terminal.line(which + ": about " + remaining.shown() + " left");
                StepRunner runner = runner(step);
                runner.prepare();
                long begun = System.nanoTime();
                StepRunner.Outcome outcome = runner.run(step);
                folder.put(outcome.measured(), outcome.histograms());
                measured = outcome.measured();
                long nanos = System.nanoTime() - begun;
                remaining.finished(step, nanos);
                terminal.line(String.format(Locale.ROOT, "  %s (took %.0f s)", line(measured), nanos / NANOS));
            } else {
                terminal.line(which + ": finished before");
                remaining.skipped(step);
            }
            valid &= measured.valid();
            clean &= measured.problems().isEmpty();
        }
        List<ClaimOutcome> outcomes = ReportPage.write(folder, plan, worlds);
        outcomes.forEach(outcome -> terminal.line(line(outcome)));
        terminal.line("the page: " + folder.path().resolve("index.html"));
        if (!clean || outcomes.stream().anyMatch(ClaimOutcome::fails)) {
            return Ending.BAD;
        }
        return valid && outcomes.stream().noneMatch(ClaimOutcome::missing) ? Ending.GOOD : Ending.INVALID;
    }

    private StepRunner runner(PlannedStep step) {
        StepRunner runner = runners.get(step.substrate());
        if (runner == null) {
            throw new IllegalArgumentException(
                    "nothing here runs steps on " + step.substrate().label());
        }
        return runner;
    }

    private static String line(MeasuredStep measured) {
        if (!measured.valid()) {
            return "invalid: " + String.join("; ", measured.invalid());
        }
        if (!measured.problems().isEmpty()) {
            return "not clean: " + String.join("; ", measured.problems());
        }
        return String.format(
                Locale.ROOT,
                "%,.1f operations/s, update p50 %.1f ms, p99 %.1f ms, lag p50 %.0f ms",
                measured.figures().getOrDefault("operations_per_second", 0.0),
                measured.figures().getOrDefault("update_p50_ms", 0.0),
                measured.figures().getOrDefault("update_p99_ms", 0.0),
                measured.figures().getOrDefault("lag_p50_ms", 0.0));
    }

    private static String line(ClaimOutcome outcome) {
        String found = outcome.found()
                .map(RepetitionSpread::median)
                .map(median -> String.format(Locale.ROOT, "%.3g", median))
                .orElse("-");
        return String.format(
                Locale.ROOT,
                "%-14s  %s: %s (band %s; %s)",
                outcome.kind().label(),
                outcome.claim().name(),
                found,
                ClaimJudge.shown(outcome.claim().band()),
                outcome.why());
    }
}

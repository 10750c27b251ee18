package org.aspas.emulab.experiments.execution;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.experiments.folder.MachineFacts;
import org.aspas.emulab.experiments.folder.MeasuredStep;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.StepLoad;
import org.aspas.emulab.experiments.plan.WarmedSystems;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.lab.delay.DelayReport;
import org.aspas.emulab.rivals.SystemCatalogue;
import org.aspas.emulab.rivals.SystemChoice;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadDefinition;
import org.aspas.emulab.workload.WorkloadPhase;

/** Runs steps on real sockets: servers, clients and the world's delays in this process. */
public final class SocketSteps implements StepRunner {
    private static final int MICROS_PER_SECOND = 1_000_000;
    private static final int MICROS_PER_MILLI = 1_000;

    private final Map<String, WorldMap> worlds;
    private final WarmedSystems warmed = new WarmedSystems();

    /** Runs steps in these worlds, by their names in the plan. */
    public SocketSteps(Map<String, WorldMap> worlds) {
        this.worlds = Map.copyOf(worlds);
    }

    @Override
    public Outcome run(PlannedStep step) throws IOException, InterruptedException, TimeoutException {
        double load = MachineFacts.load();
        int warmUpSeconds = (int) (warmed.warmUp(step) / MICROS_PER_SECOND);
        try (StepTimeline timeline = new StepTimeline((int) (step.micros() / MICROS_PER_SECOND))) {
            RunReport report = run(step, warmUpSeconds, timeline);
            SortedMap<String, Double> figures = StepFigures.of(report, load);
            figures.put("warm_up_seconds", (double) warmUpSeconds);
            return new Outcome(
                    new MeasuredStep(step, figures, invalid(report, figures), problems(report), timeline.moments()),
                    timeline.histograms());
        }
    }

    private RunReport run(PlannedStep step, int warmUpSeconds, StepTimeline timeline)
            throws IOException, InterruptedException, TimeoutException {
        WorkloadDefinition workload = NamedWorkloads.named(step.workload())
                .orElseThrow(() -> new IllegalArgumentException("there is no workload " + step.workload()));
        SystemChoice system = SystemCatalogue.named(step.system())
                .orElseThrow(() -> new IllegalArgumentException("there is no system " + step.system()));
        List<WorkloadPhase> phases = List.of(new WorkloadPhase(workload, step.micros() / MICROS_PER_MILLI));
        WorkloadRun run = new WorkloadRun(
                        Terminal.of(new PrintWriter(Writer.nullWriter())),
                        WorkloadRun.settings(
                                "emulab",
                                step.clients(),
                                warmUpSeconds,
                                0,
                                new Quorums(step.f(), step.b()),
                                step.seed(),
                                phases),
                        phases,
                        null)
                .against(system)
                .in(worlds.get(step.world()))
                .loaded(model(step.load()));
        Map<String, Integer> tau = step.load().tau();
        return (tau.isEmpty() ? run : run.mixed(new ToleranceMix(tau))).measure(timeline::begin);
    }

    private static LoadModel model(StepLoad load) {
        return load.rate() > 0
                ? new LoadModel.Open(load.rate(), Arrivals.POISSON)
                : new LoadModel.Closed(load.openUpdates());
    }

    private static List<String> invalid(RunReport report, SortedMap<String, Double> figures) {
        List<String> invalid = new ArrayList<>(report.generator().invalid());
        DelayReport delays = report.delays();
        if (delays != null && !delays.valid()) {
            invalid.add(String.format(
                    Locale.ROOT,
                    "the emulated delays were %.1f ms late at the 95th percentile",
                    figures.getOrDefault("delay_late_p95_ms", 0.0)));
        }
        return invalid;
    }

    private static List<String> problems(RunReport report) {
        List<String> problems = new ArrayList<>(report.firstErrors());
        if (report.errors() > problems.size()) {
            problems.add(report.errors() + " errors in all");
        }
        if (report.verificationFailures() > 0) {
            problems.add(report.verificationFailures() + " checks failed");
        }
        if (!report.convergence().converged()) {
            problems.add("the servers did not converge: "
                    + report.convergence().differences().stream().findFirst().orElse("one did not answer"));
        }
        return problems;
    }
}

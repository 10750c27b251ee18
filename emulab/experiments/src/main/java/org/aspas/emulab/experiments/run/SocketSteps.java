package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.baselines.SystemCatalogue;
import org.aspas.emulab.baselines.SystemChoice;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.experiments.WorkloadRun;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.StepLoad;
import org.aspas.emulab.experiments.plan.WarmedSystems;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.result.MachineFacts;
import org.aspas.emulab.experiments.result.MeasuredStep;
import org.aspas.emulab.experiments.result.MeasuredStep.Moment;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadDefinition;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;

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

    /** Looks at the measurements of a step once a second, as long as it measures. Thread-safe. */
    private static final class StepTimeline implements AutoCloseable {
        private static final double MICROS_PER_MILLI = 1e3;

        private final int seconds;
        private final List<Moment> moments = new ArrayList<>();
        private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "timeline");
            thread.setDaemon(true);
            return thread;
        });
        private @Nullable Measures measures;
        private Histogram before = new Histogram(3);
        private long operationsBefore;

        StepTimeline(int seconds) {
            this.seconds = seconds;
        }

        synchronized void begin(Measures begun) {
            measures = begun;
            var unused = clock.scheduleAtFixedRate(this::look, 1, 1, TimeUnit.SECONDS);
        }

        private synchronized void look() {
            Measures now = measures;
            if (now == null || moments.size() >= seconds) {
                return;
            }
            Histogram updates = updates(now);
            Histogram within = updates.copy();
            within.subtract(before);
            long operations = now.operations();
            moments.add(new Moment(
                    moments.size() + 1,
                    operations - operationsBefore,
                    millis(within, 50),
                    millis(within, 99),
                    now.unconfirmed()));
            before = updates;
            operationsBefore = operations;
        }

        /** All updates but those of τ = 1, which take as long as their certificates. */
        private static Histogram updates(Measures now) {
            Histogram updates = new Histogram(3);
            for (ToleranceClass tolerance : now.classes()) {
                if (!tolerance.equals(ToleranceClass.TAU_1)) {
                    updates.add(now.latency(tolerance, OperationKind.UPDATE));
                }
            }
            return updates;
        }

        private static double millis(Histogram micros, double percentile) {
            return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
        }

        synchronized List<Moment> moments() {
            return List.copyOf(moments);
        }

        /** The latencies of each class of clients and kind of operation, and the lag, by name; those without any left out. */
        synchronized Map<String, Histogram> histograms() {
            Map<String, Histogram> histograms = new TreeMap<>();
            Measures now = measures;
            if (now != null) {
                for (ToleranceClass tolerance : now.classes()) {
                    for (OperationKind kind : OperationKind.values()) {
                        keep(histograms, label(kind) + " " + tolerance.label(), now.latency(tolerance, kind));
                    }
                }
                Histogram lag = new Histogram(3);
                for (int part = 0; part < Measures.PARTS; part++) {
                    lag.add(now.lag(part));
                }
                keep(histograms, "lag", lag);
            }
            return histograms;
        }

        private static String label(OperationKind kind) {
            return kind.name().toLowerCase(Locale.ROOT);
        }

        private static void keep(Map<String, Histogram> histograms, String name, Histogram histogram) {
            if (histogram.getTotalCount() > 0) {
                histograms.put(name, histogram);
            }
        }

        @Override
        public void close() {
            clock.shutdownNow();
        }
    }
}

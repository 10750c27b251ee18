package org.aspas.emulab.experiments;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.core.Policy;
import org.aspas.emulab.baselines.AspasSystem;
import org.aspas.emulab.experiments.report.ComparisonReport;
import org.aspas.emulab.experiments.report.ComparisonReport.Leg;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/**
 * What something costs the clients of one cluster: the same workload four times, without it, with it, with it, without it.
 * Whatever drifts evenly, such as the size of objects, weighs on both alike.
 */
final class Comparison {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final Duration AGREEMENT_PATIENCE = Duration.ofSeconds(20);
    private static final long QUIESCE_MILLIS = 60_000;
    private static final List<Boolean> ORDER = List.of(false, true, true, false);

    private final Terminal terminal;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final @Nullable Path json;
    private final Treatment treatment;
    private final StorageOptions keeping;
    private final Ledger ledger = new Ledger();

    Comparison(
            Terminal terminal,
            RunSettings settings,
            List<WorkloadPhase> phases,
            @Nullable Path json,
            Treatment treatment,
            StorageOptions keeping) {
        this.terminal = terminal;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.json = json;
        this.treatment = treatment;
        this.keeping = keeping;
    }

    /** What is compared: two of the four legs run with it, two without. */
    interface Treatment {
        Subject subject();

        /** The sentence after the command's name in the title. */
        String title();

        /** How the clients of such legs guard themselves; one group of clients serves both if it is the same. */
        Policy policy(boolean on);

        /**
         * More figures by name, taken when the legs with the treatment are over.
         *
         * @param clients the clients of those legs
         * @param operations how many operations succeeded in them
         */
        default SortedMap<String, Double> figures(List<StoreSession> clients, long operations)
                throws InterruptedException {
            return Collections.emptySortedMap();
        }

        /** Whether an unreported leg with the treatment runs before all others. */
        default boolean rehearsed() {
            return false;
        }

        /** What runs beside a leg without it, given the legs so far and the rehearsal; null for nothing. */
        default @Nullable Running beside(List<Leg> before) {
            return null;
        }

        /** Begins the treatment for one leg; closed at the leg's end. */
        Running begin(AspasSystem system);
    }

    /** The treatment, or what runs in its place, while a leg runs. */
    interface Running extends AutoCloseable {
        /** How often it has happened so far, given the leg's clients. */
        long count(List<StoreSession> clients);

        /** What its own threads have taken of the processors so far, in seconds: counted apart from the leg. */
        default double processorSeconds() {
            return 0;
        }

        @Override
        void close();
    }

    /**
     * Runs and prints.
     *
     * @return the exit code: 0 when there was no error, no failed check and no disagreement
     */
    int run() throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        terminal.title("ASPAS " + settings.command() + ": " + treatment.title() + ", four runs of " + settings.seconds()
                + " s: off, on, on, off");
        try (AspasSystem system = start()) {
            ComparisonReport report = compare(system);
            terminal.line("");
            report.lines().forEach(terminal::line);
            if (json != null) {
                report.write(json);
                terminal.line("  written to " + json);
            }
            return report.clean() ? 0 : 1;
        } catch (WorkloadException refused) {
            throw new UncheckedIOException(
                    new IOException("YCSB refuses the workload: " + refused.getMessage(), refused));
        }
    }

    private AspasSystem start() throws IOException, InterruptedException, TimeoutException {
        Cluster cluster = Cluster.start(new Quorums(settings.f(), settings.b()), keeping.options());
        List<Integer> all = IntStream.range(0, cluster.appservers()).boxed().toList();
        return AspasSystem.of(cluster, all, treatment.policy(false), START_PATIENCE);
    }

    private ComparisonReport compare(AspasSystem system)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        Policy off = treatment.policy(false);
        Policy on = treatment.policy(true);
        List<StoreSession> plain = new ArrayList<>();
        List<StoreSession> treated = new ArrayList<>();
        Progress progress = new Progress(terminal, measures -> {});
        Experiment experiment = new Experiment(system, settings, phases, progress, null, null);
        try {
            Experiment.connect(system, plain, settings.classes(), Experiment.roundTrip(settings), false);
            if (!on.equals(off)) {
                Experiment.connect(
                        system.guarded(on), treated, settings.classes(), Experiment.roundTrip(settings), false);
            }
            experiment.awaitServing();
            if (settings.warmUpSeconds() > 0) {
                experiment.warmUp(ledger);
                if (!treated.isEmpty()) {
                    warmUp(system.guarded(on), progress);
                }
            }
            RunSettings driven = Saturation.resolved(system, settings, phases, ledger, progress);
            List<Leg> legs = new ArrayList<>();
            if (treatment.rehearsed()) {
                progress.say("a run with " + treatment.subject().name() + " that is not reported ...");
                legs.add(leg(system, true, legs, plain, driven));
            }
            for (boolean with : ORDER) {
                legs.add(leg(system, with, legs, with && !treated.isEmpty() ? treated : plain, driven));
            }
            if (treatment.rehearsed()) {
                legs.remove(0);
            }
            progress.say("asking every server for its values ...");
            Convergence convergence = system.converge(ledger, AGREEMENT_PATIENCE);
            long operations =
                    legs.stream().filter(Leg::on).mapToLong(Leg::operations).sum();
            return new ComparisonReport(
                    treatment.subject(), driven, legs, treatment.figures(treated, operations), convergence);
        } finally {
            progress.end();
            Experiment.close(plain);
            Experiment.close(treated);
        }
    }

    private Leg leg(AspasSystem system, boolean on, List<Leg> before, List<StoreSession> sessions, RunSettings driven)
            throws InterruptedException, WorkloadException {
        try (Running running = on ? treatment.begin(system) : treatment.beside(before)) {
            return leg(on, running, sessions, driven);
        }
    }

    private Leg leg(boolean on, @Nullable Running running, List<StoreSession> sessions, RunSettings driven)
            throws InterruptedException, WorkloadException {
        long failuresBefore = StoreSession.verificationFailures(sessions);
        long countedBefore = running == null ? 0 : running.count(sessions);
        double apartBefore = running == null ? 0 : running.processorSeconds();
        long planned = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        long start = System.nanoTime();
        Duration cpuBefore = MachineMeter.processorTime();
        Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(planned));
        run(sessions, measures, driven.load());
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpu = MachineMeter.processorTime().minus(cpuBefore).toMillis() / 1e3;
        double apart = running == null ? 0 : running.processorSeconds() - apartBefore;
        long counted = running == null ? 0 : running.count(sessions) - countedBefore;
        measures.generator().overload().ifPresent(measures::failed);
        if (!measures.awaitConfirmations(QUIESCE_MILLIS)) {
            measures.failed(measures.unconfirmed() + " updates are unconfirmed");
        }
        long failed = StoreSession.verificationFailures(sessions) - failuresBefore;
        Leg leg = Leg.of(on, measures, seconds, cpu - apart, apart, failed, counted);
        terminal.line("  " + leg.sentence(treatment.subject()));
        return leg;
    }

    /** The same with other clients that are treated: what only they make happen is compiled before it is measured. */
    private void warmUp(AspasSystem guarded, Progress progress)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        progress.say("a run of other clients that is not measured, with "
                + treatment.subject().name() + " ...");
        List<StoreSession> others = new ArrayList<>();
        try {
            Experiment.connect(guarded, others, settings.classes(), Experiment.roundTrip(settings), false);
            Measures unused = new Measures(System.nanoTime(), 1);
            run(others, unused, LoadModel.ONE_EACH);
            unused.awaitConfirmations(QUIESCE_MILLIS);
        } finally {
            Experiment.close(others);
        }
    }

    private void run(List<StoreSession> sessions, Measures measures, LoadModel load)
            throws InterruptedException, WorkloadException {
        new WorkloadDriver(sessions, settings.classes(), measures, ledger, settings.seed(), load)
                .run(phases, phase -> {});
    }
}

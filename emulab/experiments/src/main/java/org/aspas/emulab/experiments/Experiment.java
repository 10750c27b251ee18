package org.aspas.emulab.experiments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.baselines.AspasSystem;
import org.aspas.emulab.experiments.report.CostFigures;
import org.aspas.emulab.experiments.report.CostMeter;
import org.aspas.emulab.experiments.report.LagSteps;
import org.aspas.emulab.experiments.report.MachineFigures;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.experiments.report.SiteLag;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.cluster.ClusterWorld;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.SystemUnderTest;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/** One run of a workload on a running system, from connecting the clients to comparing the servers. */
final class Experiment {
    private static final long CONNECT_SECONDS = 60;
    private static final long QUIESCE_MILLIS = 30_000;
    private static final Duration SERVING_PATIENCE = Duration.ofSeconds(60);
    private static final Duration AGREEMENT_PATIENCE = Duration.ofSeconds(20);
    private static final long CLOSE_SECONDS = 5;
    private static final long ATTACK_AFTER_MILLIS = 2_000;
    private static final int WARM_UP_ROUND_SECONDS = 4;
    private static final int WARM_UP_CLIENTS = 16;
    /**
     * In a world most operations take long, so more clients are needed; and those of clients that are near take no time, so
     * they pause. Else the certificates would be so late that each round waits for seconds for its last operations.
     */
    private static final int WARM_UP_CLIENTS_IN_A_WORLD = 64;

    private static final LoadModel WARM_UP_LOAD_IN_A_WORLD = new LoadModel.Closed(1, 70);

    private final SystemUnderTest system;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final Progress progress;
    private final @Nullable Attack attack;
    private final @Nullable EmulatedNetwork network;
    private final LagInWorld lag;

    /**
     * Takes a system that runs already.
     *
     * @param attack an attack by one of the appservers of ASPAS, whose machines the cluster runs; null without one
     * @param network the network of the world that the system is in; null without one
     */
    Experiment(
            SystemUnderTest system,
            RunSettings settings,
            List<WorkloadPhase> phases,
            Progress progress,
            @Nullable Attack attack,
            @Nullable EmulatedNetwork network) {
        this.network = network;
        this.lag = new LagInWorld(network == null ? null : network.world(), settings);
        this.attack = attack;
        this.system = system;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.progress = progress;
    }

    /**
     * Runs it on a system that no client has used.
     *
     * @throws IOException when the servers cannot be asked before the run
     * @throws TimeoutException when a client gets no session
     */
    RunReport run() throws IOException, InterruptedException, TimeoutException, WorkloadException {
        return run(new Ledger());
    }

    /**
     * Runs it on a system that has been run before.
     *
     * @param ledger what clients were answered since the system was started
     */
    RunReport run(Ledger ledger) throws IOException, InterruptedException, TimeoutException, WorkloadException {
        List<StoreSession> sessions = new ArrayList<>();
        try {
            connect(system, sessions, settings.classes(), roundTrip(settings), true);
            watch(sessions);
            awaitServing();
            if (settings.warmUpSeconds() > 0) {
                warmUp(ledger);
            }
            return run(sessions, ledger, Saturation.resolved(system, settings, phases, ledger, progress));
        } finally {
            close(sessions);
        }
    }

    /** Operations a second of a closed loop, after a warm-up; nothing is reported. */
    double saturation() throws IOException, InterruptedException, TimeoutException, WorkloadException {
        Ledger ledger = new Ledger();
        List<StoreSession> first = new ArrayList<>();
        try {
            connect(system, first, settings.classes(), Duration.ZERO, false);
            awaitServing();
        } finally {
            close(first);
        }
        if (settings.warmUpSeconds() > 0) {
            warmUp(ledger);
        }
        return Saturation.perSecond(system, settings, phases, ledger, progress);
    }

    static void close(List<StoreSession> sessions) {
        sessions.stream()
                .map(StoreSession::close)
                .toList()
                .forEach(stage -> stage.toCompletableFuture()
                        .thenApply(closed -> true)
                        .completeOnTimeout(false, CLOSE_SECONDS, TimeUnit.SECONDS)
                        .join());
    }

    private void watch(List<StoreSession> sessions) {
        for (int client = 0; client < sessions.size(); client++) {
            if (attack != null && sessions.get(client) instanceof ClientSession session) {
                attack.watch(client, session.client());
            }
        }
    }

    static Duration roundTrip(RunSettings settings) {
        return Duration.ofMillis(settings.rttMillis());
    }

    /**
     * Opens sessions all at once, and adds them to a list that is the caller's to close.
     *
     * @param placed whether each is as far from its server as the world says
     */
    static void connect(
            SystemUnderTest system,
            List<StoreSession> sessions,
            List<ToleranceClass> classes,
            Duration roundTrip,
            boolean placed)
            throws InterruptedException, TimeoutException {
        List<CompletableFuture<? extends StoreSession>> opening = new ArrayList<>();
        for (int client = 0; client < classes.size(); client++) {
            SessionSettings wanted = new SessionSettings(client, classes.get(client), roundTrip, placed);
            opening.add(system.open(wanted).toCompletableFuture());
        }
        for (CompletableFuture<? extends StoreSession> session : opening) {
            try {
                sessions.add(session.get(CONNECT_SECONDS, TimeUnit.SECONDS));
            } catch (ExecutionException failed) {
                throw new IllegalStateException("a client gets no session: " + failed.getCause(), failed);
            }
        }
    }

    /** Waits for what the system does only once at its start, so that it is not measured. */
    void awaitServing() throws IOException, InterruptedException, TimeoutException {
        system.awaitServing(SERVING_PATIENCE);
    }

    private RunReport run(List<StoreSession> sessions, Ledger ledger, RunSettings driven)
            throws IOException, InterruptedException, WorkloadException {
        List<ToleranceClass> classes = driven.classes();
        long planned = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        long before = system.newestCertificate();
        long entriesBefore = system.entries();
        var unused = system.takeFigures();
        long start = System.nanoTime();
        CostMeter counters = new CostMeter(system);
        MachineMeter meter = new MachineMeter(system);
        Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(planned), lag::home);
        progress.begin(measures, before);
        beginTimeline();
        beginAttack(planned);
        double elapsed;
        MachineFigures machine;
        SortedMap<String, Double> own;
        long after;
        Map<LagStep, DurationFigures> steps;
        try {
            new WorkloadDriver(sessions, classes, measures, ledger, driven.seed(), driven.load())
                    .run(phases, progress::phase);
            elapsed = (System.nanoTime() - start) / 1e9;
            machine = meter.figures();
            counters.workloadEnds();
            own = system.takeFigures();
            steps = system.lagSteps(Duration.ofNanos(System.nanoTime() - start));
            after = system.newestCertificate();
        } finally {
            progress.end();
        }
        DelayReport delays = endTimeline();
        progress.say("waiting for the last confirmations ...");
        if (!measures.awaitConfirmations(QUIESCE_MILLIS)) {
            measures.failedUpdate(measures.unconfirmed() + " updates are unconfirmed " + QUIESCE_MILLIS / 1000
                    + " s after the last one");
        }
        CostFigures costs = counters.figures(measures.updates(), measures.operations());
        SortedMap<String, Double> figures = new TreeMap<>(own);
        figures.putAll(InspectionFigures.figures(InspectionFigures.settled(sessions), measures.operations()));
        figures.putAll(entries(system.entries() - entriesBefore, sessions));
        progress.say("asking every server for its values ...");
        Convergence convergence = system.converge(ledger, AGREEMENT_PATIENCE);
        long failures = StoreSession.verificationFailures(sessions);
        long inspections =
                sessions.stream().mapToLong(StoreSession::inspections).sum();
        RunReport report =
                RunReport.of(driven, measures, elapsed, machine, failures, after - before, inspections, convergence);
        return report.figured(figures)
                .stepped(lag.figures(steps, measures))
                .costing(costs)
                .delayed(delays)
                .attacked(attack == null ? null : attack.report(convergence.lost() + measures.unconfirmed()));
    }

    /** What switching costs: an update that a client gives to a second server has a second entry. */
    private static Map<String, Double> entries(long entries, List<StoreSession> sessions) {
        long updates = sessions.stream().mapToLong(StoreSession::updates).sum();
        if (entries == 0 || updates == 0) {
            return Map.of();
        }
        double switches = sessions.stream().mapToLong(StoreSession::switches).sum();
        return Map.of(
                "entries", (double) entries, "entries_per_update", (double) entries / updates, "switches", switches);
    }

    private void beginTimeline() {
        Optional<ClusterWorld> world = world();
        if (world.isPresent()) {
            world.get().begin();
        } else if (network != null) {
            network.begin();
        }
    }

    /** Reports the delays until now and ends all faults; null without a world. */
    private @Nullable DelayReport endTimeline() throws InterruptedException {
        if (network == null) {
            return null;
        }
        DelayReport report = network.report();
        network.end();
        Optional<ClusterWorld> world = world();
        if (world.isPresent()) {
            world.get().end();
        }
        return report;
    }

    private Optional<ClusterWorld> world() {
        return system instanceof AspasSystem aspas ? aspas.cluster().world() : Optional.empty();
    }

    /** The attack begins when the world says so, else when there is something to attack. */
    private void beginAttack(long plannedMillis) {
        if (attack != null) {
            attack.workloadBegins();
            long usual = TimeUnit.MILLISECONDS.toMicros(Math.min(ATTACK_AFTER_MILLIS, plannedMillis / 4));
            long micros = Optional.ofNullable(network)
                    .flatMap(given -> given.world().misbehaviour(attack.server()))
                    .map(WorldFault.Misbehave::begins)
                    .orElse(usual);
            CompletableFuture.delayedExecutor(micros, TimeUnit.MICROSECONDS).execute(attack::begin);
        }
    }

    /**
     * Runs every workload for a while, as fast as it goes, so that the JVM has compiled what will be measured, and rests for as
     * long: while the processors are full its compilers get nowhere. Its clients are others than the measured ones; what they
     * wrote is in the ledger and is compared at the end like all else. In a world they are delayed by it the second half of the
     * time, for what delays the measured ones has to be compiled too.
     */
    void warmUp(Ledger ledger) throws InterruptedException, TimeoutException, WorkloadException {
        if (network == null) {
            warmUp(ledger, settings.warmUpSeconds(), false);
            return;
        }
        int half = (settings.warmUpSeconds() + 1) / 2;
        warmUp(ledger, half, false);
        warmUp(ledger, half, true);
        // Every frame that is due in a pause of the collector is late: what the warm-up left is to cause none later.
        System.gc();
    }

    private void warmUp(Ledger ledger, int seconds, boolean placed)
            throws InterruptedException, TimeoutException, WorkloadException {
        int clients = placed ? WARM_UP_CLIENTS_IN_A_WORLD : WARM_UP_CLIENTS;
        progress.say("warming up for " + seconds + " s with " + clients + " other clients and "
                + (placed ? "the world's delays" : "no emulated delay") + ", half of the time, not measured ...");
        int rounds = Math.max(1, seconds / WARM_UP_ROUND_SECONDS);
        long half = seconds * 500L / rounds;
        long millis = Math.max(1, half / phases.size());
        List<WorkloadPhase> shorter =
                phases.stream().map(phase -> phase.lasting(millis)).toList();
        Measures unused = new Measures(System.nanoTime(), TimeUnit.SECONDS.toNanos(seconds));
        List<StoreSession> sessions = new ArrayList<>();
        try {
            List<ToleranceClass> classes = settings.mix().deal(clients);
            connect(system, sessions, classes, Duration.ZERO, placed);
            LoadModel load = placed ? WARM_UP_LOAD_IN_A_WORLD : LoadModel.ONE_EACH;
            WorkloadDriver driver = new WorkloadDriver(sessions, classes, unused, ledger, settings.seed(), load);
            for (int round = 0; round < rounds; round++) {
                driver.run(shorter, phase -> {});
                TimeUnit.MILLISECONDS.sleep(half);
            }
            boolean confirmed = unused.awaitConfirmations(QUIESCE_MILLIS);
            long failures = StoreSession.verificationFailures(sessions);
            if (!confirmed || unused.errors() > 0 || failures > 0) {
                throw new IllegalStateException(
                        "the warm-up had " + unused.errors() + " errors, " + failures + " verification failures and "
                                + unused.unconfirmed() + " unconfirmed updates: " + unused.firstErrors());
            }
        } finally {
            close(sessions);
        }
    }

    /**
     * Puts what clients and servers measured of the lag beside what the distances of a world need at least.
     *
     * @param world where the run is; null without one, and then nothing stands beside it
     */
    private record LagInWorld(@Nullable WorldMap world, RunSettings settings) {
        private Quorums quorums() {
            return new Quorums(settings.f(), settings.b());
        }

        /** The appserver that a client begins with, for which its figures count; the same for all without a world. */
        int home(int client) {
            return world == null ? 0 : world.home(client, quorums().appservers());
        }

        /** The figures of a run of ASPAS; of another system, which tells no steps, there are none. */
        LagSteps figures(Map<LagStep, DurationFigures> steps, Measures measures) {
            return world == null || steps.isEmpty()
                    ? LagSteps.of(steps)
                    : new LagSteps(
                            steps,
                            SiteLag.leastMicros(world, quorums()),
                            SiteLag.of(world, quorums(), measures.sites(), settings.clients()));
        }
    }
}

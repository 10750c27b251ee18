package org.aspas.emulab.experiments;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.port.Policy;
import org.aspas.emulab.experiments.report.Convergence;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.RunSettings;
import org.aspas.emulab.lab.attack.Attack;
import org.aspas.emulab.lab.cluster.Cluster;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/** One run of a workload on a running cluster, from connecting the clients to comparing the servers. */
final class Experiment {
    private static final long CONNECT_SECONDS = 60;
    private static final long QUIESCE_MILLIS = 30_000;
    private static final long FIRST_CERTIFICATE_SECONDS = 60;
    private static final long POLL_MILLIS = 50;
    private static final long ATTACK_AFTER_MILLIS = 2_000;
    private static final int WARM_UP_ROUND_SECONDS = 4;
    private static final int WARM_UP_CLIENTS = 16;

    private final Cluster cluster;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final Progress progress;
    private final Policy policy;
    private final @Nullable Attack attack;

    /**
     * An experiment.
     *
     * @param cluster runs already
     * @param settings what to run
     * @param phases the workloads
     * @param progress is told how it goes
     * @param policy how the clients guard themselves
     * @param attack an attack by one of the appservers, whose machines the cluster runs; null without one
     */
    Experiment(
            Cluster cluster,
            RunSettings settings,
            List<WorkloadPhase> phases,
            Progress progress,
            Policy policy,
            @Nullable Attack attack) {
        this.policy = policy;
        this.attack = attack;
        this.cluster = cluster;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.progress = progress;
    }

    /**
     * Runs it.
     *
     * @throws IOException when the servers cannot be asked before the run
     * @throws TimeoutException when a client gets no session
     */
    RunReport run() throws IOException, InterruptedException, TimeoutException, WorkloadException {
        ClientResources resources =
                ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
        List<AspasClient> clients = new ArrayList<>();
        try {
            connect(clients, settings.clients(), settings.rttMillis(), resources, policy);
            watch(clients);
            awaitFirstCertificate();
            Ledger ledger = new Ledger();
            if (settings.warmUpSeconds() > 0) {
                warmUp(ledger, resources);
            }
            return run(
                    clients,
                    ledger,
                    ClientOptions.defaults().withResources(resources).withPolicy(Policy.STAY));
        } finally {
            close(clients);
            resources.close();
        }
    }

    static void close(List<AspasClient> clients) {
        List<CompletionStage<Void>> closing =
                clients.stream().map(AspasClient::closeAsync).toList();
        closing.forEach(stage -> stage.toCompletableFuture()
                .completeOnTimeout(null, 5, TimeUnit.SECONDS)
                .join());
    }

    private void watch(List<AspasClient> clients) {
        if (attack != null) {
            for (int client = 0; client < clients.size(); client++) {
                attack.watch(client, clients.get(client));
            }
        }
    }

    void connect(List<AspasClient> clients, int count, int rttMillis, ClientResources resources, Policy guarding)
            throws InterruptedException, TimeoutException {
        ClientOptions options = ClientOptions.defaults()
                .withResources(resources)
                .withRoundTrip(Duration.ofMillis(rttMillis))
                .withPolicy(guarding);
        List<ToleranceClass> classes = ToleranceClass.mix(count);
        for (int client = 0; client < count; client++) {
            int server = client % cluster.appservers();
            clients.add(cluster.client(
                    server, options.withTolerance(classes.get(client).tolerance())));
        }
        for (AspasClient client : clients) {
            try {
                client.ready().toCompletableFuture().get(CONNECT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException failed) {
                throw new IllegalStateException("a client gets no session: " + failed.getCause(), failed);
            }
        }
    }

    /** The session records are entries, so that a certificate follows as soon as the back end works. */
    void awaitFirstCertificate() throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FIRST_CERTIFICATE_SECONDS);
        for (int server = 0; server < cluster.appservers(); server++) {
            while (cluster.probe(server).standing().certificate() == 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new TimeoutException(
                            "appserver-" + server + " has no certificate after " + FIRST_CERTIFICATE_SECONDS + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private RunReport run(List<AspasClient> clients, Ledger ledger, ClientOptions checking)
            throws IOException, InterruptedException, WorkloadException {
        List<StoreSession> sessions =
                clients.stream().<StoreSession>map(ClientSession::new).toList();
        List<ToleranceClass> classes = ToleranceClass.mix(settings.clients());
        long planned = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        long before = newestCertificate();
        long start = System.nanoTime();
        Duration cpuBefore = processorTime();
        Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(planned));
        progress.begin(measures, before);
        beginAttack(planned);
        double elapsed;
        Duration cpu;
        long after;
        try {
            new WorkloadDriver(sessions, classes, measures, ledger, settings.seed()).run(phases, progress::phase);
            elapsed = (System.nanoTime() - start) / 1e9;
            cpu = processorTime().minus(cpuBefore);
            after = newestCertificate();
        } finally {
            progress.end();
        }
        progress.say("waiting for the last confirmations ...");
        if (!measures.awaitConfirmations(QUIESCE_MILLIS)) {
            measures.failedUpdate(measures.unconfirmed() + " updates are unconfirmed " + QUIESCE_MILLIS / 1000
                    + " s after the last one");
        }
        progress.say("asking every appserver for its certificate and values ...");
        Convergence convergence = new ConvergenceCheck(cluster, correct(), ledger, checking).run();
        long failures =
                sessions.stream().mapToLong(StoreSession::verificationFailures).sum();
        long inspections = clients.stream()
                .mapToLong(client -> client.statistics().inspections())
                .sum();
        RunReport report = RunReport.of(
                settings, measures, elapsed, cpu.toMillis() / 1e3, failures, after - before, inspections, convergence);
        return attack == null ? report : report.attacked(attack.report(convergence.lost() + measures.unconfirmed()));
    }

    /** The attack begins when the workload has run for a while, so that there is something to attack. */
    private void beginAttack(long plannedMillis) {
        if (attack != null) {
            attack.workloadBegins();
            CompletableFuture.delayedExecutor(Math.min(ATTACK_AFTER_MILLIS, plannedMillis / 4), TimeUnit.MILLISECONDS)
                    .execute(attack::begin);
        }
    }

    /** The appservers that are correct. */
    private List<Integer> correct() {
        return IntStream.range(0, cluster.appservers())
                .filter(server -> attack == null || attack.server() != server)
                .boxed()
                .toList();
    }

    /** What this process has used so far; zero where the system does not tell. */
    static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /**
     * Runs every workload for a while, as fast as it goes, so that the JVM has compiled what will be measured, and rests for as
     * long: while the processors are full its compilers get nowhere. Its clients are others than the measured ones; what they
     * wrote is in the ledger and is compared at the end like all else.
     */
    void warmUp(Ledger ledger, ClientResources resources)
            throws InterruptedException, TimeoutException, WorkloadException {
        progress.say("warming up for " + settings.warmUpSeconds() + " s with " + WARM_UP_CLIENTS
                + " other clients and no emulated delay, half of the time, not measured ...");
        int rounds = Math.max(1, settings.warmUpSeconds() / WARM_UP_ROUND_SECONDS);
        long half = settings.warmUpSeconds() * 500L / rounds;
        long millis = Math.max(1, half / phases.size());
        List<WorkloadPhase> shorter = phases.stream()
                .map(phase -> new WorkloadPhase(phase.mix(), phase.kind(), millis))
                .toList();
        Measures unused = new Measures(System.nanoTime(), TimeUnit.SECONDS.toNanos(settings.warmUpSeconds()));
        List<AspasClient> clients = new ArrayList<>();
        try {
            connect(clients, WARM_UP_CLIENTS, 0, resources, policy);
            List<StoreSession> sessions =
                    clients.stream().<StoreSession>map(ClientSession::new).toList();
            WorkloadDriver driver =
                    new WorkloadDriver(sessions, ToleranceClass.mix(WARM_UP_CLIENTS), unused, ledger, settings.seed());
            for (int round = 0; round < rounds; round++) {
                driver.run(shorter, phase -> {});
                TimeUnit.MILLISECONDS.sleep(half);
            }
            boolean confirmed = unused.awaitConfirmations(QUIESCE_MILLIS);
            long failures = sessions.stream()
                    .mapToLong(StoreSession::verificationFailures)
                    .sum();
            if (!confirmed || unused.errors() > 0 || failures > 0) {
                throw new IllegalStateException(
                        "the warm-up had " + unused.errors() + " errors, " + failures + " verification failures and "
                                + unused.unconfirmed() + " unconfirmed updates: " + unused.firstErrors());
            }
        } finally {
            close(clients);
        }
    }

    private long newestCertificate() throws IOException, InterruptedException {
        long newest = 0;
        for (int server : correct()) {
            newest = Math.max(newest, cluster.probe(server).standing().certificate());
        }
        return newest;
    }
}

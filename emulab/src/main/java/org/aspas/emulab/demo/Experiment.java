package org.aspas.emulab.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.emulab.report.Convergence;
import org.aspas.emulab.report.RunReport;
import org.aspas.emulab.report.RunSettings;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import site.ycsb.WorkloadException;

/** One run of a workload on a running cluster, from connecting the clients to comparing the servers. */
final class Experiment {
    private static final long CONNECT_SECONDS = 60;
    private static final long QUIESCE_MILLIS = 30_000;
    private static final long FIRST_CERTIFICATE_SECONDS = 60;
    private static final long POLL_MILLIS = 50;
    private static final long WARM_UP_MILLIS = 3000;

    private final Cluster cluster;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final Progress progress;

    Experiment(Cluster cluster, RunSettings settings, List<WorkloadPhase> phases, Progress progress) {
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
            connect(clients, resources);
            awaitFirstCertificate();
            return run(clients, ClientOptions.defaults().withResources(resources));
        } finally {
            List<java.util.concurrent.CompletionStage<Void>> closing =
                    clients.stream().map(AspasClient::closeAsync).toList();
            closing.forEach(stage -> stage.toCompletableFuture()
                    .completeOnTimeout(null, 5, TimeUnit.SECONDS)
                    .join());
            resources.close();
        }
    }

    private void connect(List<AspasClient> clients, ClientResources resources)
            throws InterruptedException, TimeoutException {
        ClientOptions options = ClientOptions.defaults()
                .withResources(resources)
                .withRoundTrip(Duration.ofMillis(settings.rttMillis()));
        List<ToleranceClass> classes = ToleranceClass.mix(settings.clients());
        for (int client = 0; client < settings.clients(); client++) {
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
    private void awaitFirstCertificate() throws IOException, InterruptedException, TimeoutException {
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

    private RunReport run(List<AspasClient> clients, ClientOptions checking)
            throws IOException, InterruptedException, WorkloadException {
        Ledger ledger = new Ledger();
        List<StoreSession> sessions =
                clients.stream().<StoreSession>map(ClientSession::new).toList();
        List<ToleranceClass> classes = ToleranceClass.mix(settings.clients());
        warmUp(sessions, classes, ledger);
        long planned = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        long before = newestCertificate();
        long start = System.nanoTime();
        Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(planned));
        progress.begin(measures, before);
        double elapsed;
        long after;
        try {
            new WorkloadDriver(sessions, classes, measures, ledger, settings.seed()).run(phases, progress::phase);
            elapsed = (System.nanoTime() - start) / 1e9;
            after = newestCertificate();
        } finally {
            progress.end();
        }
        progress.say("waiting for the last confirmations ...");
        if (!measures.awaitConfirmations(QUIESCE_MILLIS)) {
            measures.failed(measures.unconfirmed() + " updates are unconfirmed " + QUIESCE_MILLIS / 1000
                    + " s after the last one");
        }
        progress.say("asking every appserver for its certificate and values ...");
        Convergence convergence = new ConvergenceCheck(cluster, ledger, checking).run();
        long failures =
                sessions.stream().mapToLong(StoreSession::verificationFailures).sum();
        return RunReport.of(settings, measures, elapsed, failures, after - before, convergence);
    }

    /** Runs the first workload for a while so that the JVM has compiled what it will run; only the ledger is kept. */
    private void warmUp(List<StoreSession> sessions, List<ToleranceClass> classes, Ledger ledger)
            throws InterruptedException, WorkloadException {
        progress.say("warming up for " + WARM_UP_MILLIS / 1000 + " s, not measured ...");
        WorkloadPhase first = phases.get(0);
        Measures unused = new Measures(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(WARM_UP_MILLIS));
        new WorkloadDriver(sessions, classes, unused, ledger, settings.seed())
                .run(List.of(new WorkloadPhase(first.mix(), first.kind(), WARM_UP_MILLIS)), phase -> {});
        if (!unused.awaitConfirmations(QUIESCE_MILLIS) || unused.errors() > 0) {
            throw new IllegalStateException("the warm-up had " + unused.errors() + " errors and " + unused.unconfirmed()
                    + " unconfirmed updates: " + unused.firstErrors());
        }
    }

    private long newestCertificate() throws IOException, InterruptedException {
        long newest = 0;
        for (int server = 0; server < cluster.appservers(); server++) {
            newest = Math.max(newest, cluster.probe(server).standing().certificate());
        }
        return newest;
    }
}

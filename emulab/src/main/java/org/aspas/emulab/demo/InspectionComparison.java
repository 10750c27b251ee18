package org.aspas.emulab.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.aspas.bftcluster.replica.PrintCapture;
import org.aspas.certify.quorum.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.core.Policy;
import org.aspas.emulab.report.Convergence;
import org.aspas.emulab.report.InspectionReport;
import org.aspas.emulab.report.InspectionReport.Leg;
import org.aspas.emulab.report.RunSettings;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/**
 * What inspection costs: one cluster, two groups of equally many clients that differ in the rate of inspection alone, and
 * the same workload four times: off, on, on, off. Whatever drifts evenly, such as the size of objects, weighs on both alike.
 */
final class InspectionComparison {
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final long QUIESCE_MILLIS = 60_000;
    private static final List<Boolean> ORDER = List.of(false, true, true, false);

    private final Terminal terminal;
    private final RunSettings settings;
    private final List<WorkloadPhase> phases;
    private final @Nullable Path json;
    private final Ledger ledger = new Ledger();

    InspectionComparison(Terminal terminal, RunSettings settings, List<WorkloadPhase> phases, @Nullable Path json) {
        this.terminal = terminal;
        this.settings = settings;
        this.phases = List.copyOf(phases);
        this.json = json;
    }

    /**
     * Runs and prints.
     *
     * @param on how the inspecting clients guard themselves; the others do the same and inspect nothing
     * @return the exit code: 0 when there was no error, no failed check and no disagreement
     */
    int run(Policy on) throws IOException, InterruptedException, TimeoutException {
        PrintCapture.install();
        Policy off = on.withInspection(0, 0);
        terminal.title("ASPAS " + settings.command() + ": the cost of inspecting " + settings.inspectPercent()
                + " % of the answers, four runs of " + settings.seconds() + " s: off, on, on, off");
        try (Cluster cluster = Cluster.start(new Quorums(settings.f(), settings.b()))) {
            cluster.awaitReady(START_PATIENCE);
            InspectionReport report = compare(cluster, off, on);
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

    private InspectionReport compare(Cluster cluster, Policy off, Policy on)
            throws IOException, InterruptedException, TimeoutException, WorkloadException {
        ClientResources resources =
                ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
        List<AspasClient> plain = new ArrayList<>();
        List<AspasClient> inspecting = new ArrayList<>();
        Progress progress = new Progress(terminal);
        Experiment experiment = new Experiment(cluster, settings, phases, progress, off, null);
        try {
            experiment.connect(plain, settings.clients(), settings.rttMillis(), resources, off);
            experiment.connect(inspecting, settings.clients(), settings.rttMillis(), resources, on);
            experiment.awaitFirstCertificate();
            if (settings.warmUpSeconds() > 0) {
                experiment.warmUp(ledger, resources);
            }
            List<Leg> legs = new ArrayList<>();
            for (boolean inspects : ORDER) {
                legs.add(leg(inspects, inspects ? inspecting : plain));
            }
            progress.say("asking every appserver for its certificate and values ...");
            Convergence convergence = new ConvergenceCheck(
                            cluster,
                            IntStream.range(0, cluster.appservers()).boxed().toList(),
                            ledger,
                            ClientOptions.defaults().withResources(resources).withPolicy(Policy.STAY))
                    .run();
            return new InspectionReport(settings, legs, convergence);
        } finally {
            progress.end();
            Experiment.close(plain);
            Experiment.close(inspecting);
            resources.close();
        }
    }

    private Leg leg(boolean inspects, List<AspasClient> clients) throws InterruptedException, WorkloadException {
        List<StoreSession> sessions =
                clients.stream().<StoreSession>map(ClientSession::new).toList();
        long failuresBefore = failures(sessions);
        long inspectionsBefore = inspections(clients);
        long planned = phases.stream().mapToLong(WorkloadPhase::millis).sum();
        long start = System.nanoTime();
        Duration cpuBefore = Experiment.processorTime();
        Measures measures = new Measures(start, TimeUnit.MILLISECONDS.toNanos(planned));
        new WorkloadDriver(sessions, ToleranceClass.mix(clients.size()), measures, ledger, settings.seed())
                .run(phases, phase -> {});
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpu = Experiment.processorTime().minus(cpuBefore).toMillis() / 1e3;
        if (!measures.awaitConfirmations(QUIESCE_MILLIS)) {
            measures.failed(measures.unconfirmed() + " updates are unconfirmed");
        }
        Leg leg = Leg.of(
                inspects,
                measures,
                seconds,
                cpu,
                failures(sessions) - failuresBefore,
                inspections(clients) - inspectionsBefore);
        terminal.line("  " + leg.sentence());
        return leg;
    }

    private static long failures(List<StoreSession> sessions) {
        return sessions.stream().mapToLong(StoreSession::verificationFailures).sum();
    }

    private static long inspections(List<AspasClient> clients) {
        return clients.stream()
                .mapToLong(client -> client.statistics().inspections())
                .sum();
    }
}

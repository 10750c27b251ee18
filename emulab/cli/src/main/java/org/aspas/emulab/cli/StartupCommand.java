package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.net.ServerTrust;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.experiments.scale.NodeStart;
import org.aspas.emulab.experiments.scale.Sample;
import org.aspas.emulab.experiments.scale.ServedSet;
import org.aspas.emulab.experiments.scale.SetCosts;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code emulab startup}: what a start of an appserver takes. */
@Command(
        name = "startup",
        description = {
            "Measure the start of an appserver on an existing store: time until it is ready, processor time, live heap"
                    + " after a collection, and disk. Then check that an update is still certified.",
            "All nodes of the deployment start as processes of this machine; then appserver 0 alone is stopped and"
                    + " started again, --repeat times. Requires jcmd, which every JDK has, and /proc."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:a server ended, or nothing was certified",
            "2:the command line or a file that it names is wrong",
            "3:a server was not ready in time"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab startup big",
            "  aspas emulab startup set --heap 2048 --set large --json",
        })
final class StartupCommand implements Callable<Integer> {
    private static final int PATIENCE_SECONDS = 600;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--heap",
            paramLabel = "MIB",
            description = "heap of each appserver in MiB, 32 to 1048576 (default: ${DEFAULT-VALUE})")
    private int heap = 512;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "number of restarts, 1 to 100 (default: ${DEFAULT-VALUE})")
    private int repeat = 3;

    @Option(
            names = "--kill",
            description = "kill appserver 0 instead of stopping it, so that its journal is not shortened")
    private boolean kill;

    @Option(
            names = "--set",
            paramLabel = "KEY",
            description = "also measure the costs of this set: updates, certificates, pages, the proof of one element")
    private @Nullable String set;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "with --set: repetitions of each operation, 1 to 10000 (default: ${DEFAULT-VALUE})")
    private int rounds = 41;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--heap", heap, 32, 1 << 20);
        Ranges.check(spec, "--repeat", repeat, 1, 100);
        Ranges.check(spec, "--rounds", rounds, 1, 10_000);
        retention.limits(spec);
        StartupReport report = new StartupReport(json, directory, heap);
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        ServerTrust trusted = trust.of(deployment);
        AppserverAccess access =
                new AppserverAccess(deployment.descriptor(), trusted.http().build(), trusted);
        ProcessMeter meter = ProcessMeter.ofThisJdk();
        MeasuredNodes processes = new MeasuredNodes(directory, heap);
        Thread stop = new Thread(processes::stopAll);
        Runtime.getRuntime().addShutdownHook(stop);
        try {
            for (int replica = 0; replica < access.descriptor().quorums().bftservers(); replica++) {
                start(processes, NodeId.bftserver(replica));
            }
            long begin = System.nanoTime();
            for (int server = 0; server < access.appservers(); server++) {
                start(processes, NodeId.appserver(server));
            }
            for (int server = 0; server < access.appservers(); server++) {
                report.started(server, "all at once", measured(processes, access, server, begin, meter, deployment));
            }
            report.certified(certify(access));
            for (int time = 1; time <= repeat; time++) {
                processes.end(NodeId.appserver(0), kill);
                long again = System.nanoTime();
                start(processes, NodeId.appserver(0));
                report.started(0, "alone", measured(processes, access, 0, again, meter, deployment));
            }
            report.certified(certify(access));
            if (set != null) {
                ProcessHandle first = processes.of(NodeId.appserver(0)).toHandle();
                report.served(set, rounds, new ServedSet(access, set, rounds, first).measure());
            }
            report.end();
            return ExitCodes.DONE;
        } catch (TimeoutException late) {
            spec.commandLine().getErr().println("aspas: " + late.getMessage());
            return ExitCodes.UNREACHABLE;
        } finally {
            processes.stopAll();
            Runtime.getRuntime().removeShutdownHook(stop);
        }
    }

    private NodeStart measured(
            MeasuredNodes processes,
            AppserverAccess access,
            int server,
            long begin,
            ProcessMeter meter,
            DeploymentDirectory deployment)
            throws IOException, InterruptedException, TimeoutException {
        NodeId id = NodeId.appserver(server);
        return NodeStart.await(
                processes.of(id), begin, access.probe(server), deployment.dataPath(id), meter, PATIENCE_SECONDS);
    }

    private void start(MeasuredNodes processes, NodeId node) throws IOException {
        processes.start(node, node.role() == Role.APPSERVER ? retention.arguments() : List.of(), List.of());
    }

    /** The seconds until an update is certified, since its client began. */
    private static double certify(AppserverAccess access) throws IOException, InterruptedException, TimeoutException {
        long begin = System.nanoTime();
        try (AspasClient client = access.client(0, ClientOptions.defaults())) {
            client.counter("startup")
                    .increment(1)
                    .confirmed()
                    .toCompletableFuture()
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw new IOException("an update is not certified: " + refused.getCause(), refused);
        }
        return (System.nanoTime() - begin) / 1e9;
    }

    /** What {@code emulab startup} measured: lines as they come, or one JSON document at the end. For one thread. */
    private static final class StartupReport {
        private static final double MEDIAN = 0.5;
        private static final double MOST = 0.99;

        private final JsonOption option;
        private final ObjectNode document = new ObjectMapper().createObjectNode();
        private final ArrayNode starts;
        private final ArrayNode certified;

        StartupReport(JsonOption option, Path directory, int heapMib) {
            this.option = option;
            document.put("directory", directory.toString()).put("heap_limit_mib", heapMib);
            this.starts = document.putArray("starts");
            this.certified = document.putArray("certified_after_seconds");
        }

        /**
         * An appserver started.
         *
         * @param how with which others
         */
        void started(int server, String how, NodeStart start) {
            starts.addObject()
                    .put("appserver", server)
                    .put("how", how)
                    .put("seconds", start.seconds())
                    .put("processor_seconds", start.processorSeconds())
                    .put("heap_bytes", start.heapBytes())
                    .put("resident_bytes", start.residentBytes())
                    .put("base_bytes", start.baseBytes())
                    .put("journal_bytes", start.journalBytes());
            tell("appserver-" + server + ", " + how + ": " + start.line());
        }

        /** An update was certified so long after its client began. */
        void certified(double seconds) {
            certified.add(seconds);
            tell(String.format(Locale.ROOT, "an update was certified %.2f s after a client started", seconds));
        }

        void served(String key, int rounds, SetCosts costs) {
            ObjectNode set = document.putObject("set")
                    .put("key", key)
                    .put("rounds", rounds)
                    .put("elements", costs.elements())
                    .put("page_elements", costs.pageElements())
                    .put("page_proof_bytes", costs.pageProofBytes())
                    .put("element_proof_bytes", costs.elementProofBytes());
            ArrayNode times = set.putArray("times");
            for (Sample sample : costs.times()) {
                times.addObject()
                        .put("what", sample.name())
                        .put("count", sample.count())
                        .put("p50_millis", sample.quantile(MEDIAN))
                        .put("p99_millis", sample.quantile(MOST));
            }
            ArrayNode certificates = set.putArray("certificates");
            for (SetCosts.CertificateCost cost : costs.certificates()) {
                certificates
                        .addObject()
                        .put("added_at_once", cost.atOnce())
                        .put("count", cost.certificates())
                        .put("processor_millis_each", cost.processorMillis());
            }
            tell("the set " + key + ":");
            costs.lines().forEach(this::tell);
        }

        void end() throws IOException {
            if (option.wanted()) {
                option.print(document);
            }
        }

        private void tell(String line) {
            if (!option.wanted()) {
                option.out().println(line);
                option.out().flush();
            }
        }
    }
}

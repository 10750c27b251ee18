package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.experiments.growth.GrowthSample;
import org.aspas.emulab.experiments.growth.GrowthSeries;
import org.aspas.emulab.experiments.growth.NodeUse;
import org.aspas.emulab.experiments.growth.ProcessMeter;
import org.aspas.emulab.experiments.growth.SteadyUpdates;
import org.aspas.emulab.experiments.page.GrowthPage;
import org.aspas.emulab.testbed.cluster.AppserverAccess;
import org.aspas.emulab.testbed.cluster.LoopbackPlaces;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.ProcessCluster;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code emulab growth}: what servers take over time under a steady load. */
@Command(
        name = "growth",
        description = {
            "Measure the resources that servers use over time (live heap after a collection, disk, threads and file"
                    + " descriptors) under steady updates from a fixed set of clients on a fixed set of objects.",
            "Each server is a process on loopback sockets. Requires jcmd, which every JDK has, and /proc."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:heap and disk stayed within the bounds",
            "1:heap or disk exceeded a bound, or a server ended",
            "2:the command line is wrong",
            "3:the servers were not ready in time"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas emulab growth --minutes 30",
            "  aspas emulab growth --minutes 6 --from 2 --rate 400 --dir /tmp/growth"
        })
final class GrowthCommand implements Callable<Integer> {
    private static final int START_SECONDS = 180;
    private static final long POLL_MILLIS = 200;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--dir",
            paramLabel = "FOLDER",
            description = "new folder for the deployment and the results (default: .aspas/growth)")
    private Path folder = Path.of(".aspas", "growth");

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "length of the run in minutes, 1 to 10080 (default: ${DEFAULT-VALUE})")
    private int minutes = 30;

    @Option(
            names = "--from",
            paramLabel = "MINUTE",
            description = "first minute that counts for the slopes, 0 to 10080 (default: ${DEFAULT-VALUE})")
    private int from = 3;

    @Option(
            names = "--every",
            paramLabel = "SECONDS",
            description = "seconds between two measurements, 5 to 3600 (default: ${DEFAULT-VALUE})")
    private int every = 60;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "number of clients, 1 to 10000 (default: ${DEFAULT-VALUE})")
    private int clients = 8;

    @Option(
            names = "--keys",
            paramLabel = "N",
            description = "number of objects, half of them counters, half sets of up to 16 elements; 1 to 1000000"
                    + " (default: ${DEFAULT-VALUE})")
    private int keys = 16;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "updates a second over all clients, 1 to 100000 (default: ${DEFAULT-VALUE})")
    private int rate = 100;

    @Option(
            names = "--retain-certificates",
            paramLabel = "N",
            description = "minimum number of certificates to keep, 2 to 1000000 (default: ${DEFAULT-VALUE})")
    private int certificates = 64;

    @Option(
            names = "--heap-bound",
            paramLabel = "BYTES",
            description =
                    "maximum bytes of heap for each update and appserver, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private int heapBound = 16;

    @Option(
            names = "--disk-bound",
            paramLabel = "BYTES",
            description =
                    "maximum bytes of disk for each update and appserver, 1 to 1000000 (default: ${DEFAULT-VALUE})")
    private int diskBound = 48;

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    private final Map<NodeId, Process> processes = new ConcurrentHashMap<>();

    @Override
    public Integer call() throws Exception {
        checkRanges();
        retention.limits(spec);
        ProcessMeter meter = ProcessMeter.ofThisJdk();
        Quorums quorums = new Quorums(1, 1);
        Deployment made = Deployment.generate(
                "growth", quorums, LoopbackPlaces.choose(quorums), Set.of(), Limits.DEFAULT.retaining(certificates));
        Path directory = folder.resolve("deployment");
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Files.createDirectories(folder);
        deployment.writeWithStores(made);
        AppserverAccess access = new AppserverAccess(made.descriptor(), HttpClient.newHttpClient());
        try (ProcessCluster cluster = new ProcessCluster(node -> launch(directory, node), this::tell)) {
            Thread stop = new Thread(cluster::close);
            Runtime.getRuntime().addShutdownHook(stop);
            cluster.start(made.keys().keySet());
            awaitReady(cluster, access);
            GrowthSeries series = measured(cluster, access, meter, deployment);
            Runtime.getRuntime().removeShutdownHook(stop);
            return report(series);
        } catch (TimeoutException late) {
            tell(String.valueOf(late.getMessage()));
            return ExitCodes.UNREACHABLE;
        }
    }

    private void checkRanges() {
        Ranges.check(spec, "--minutes", minutes, 1, 10_080);
        Ranges.check(spec, "--from", from, 0, 10_080);
        Ranges.check(spec, "--every", every, 5, 3_600);
        Ranges.check(spec, "--clients", clients, 1, 10_000);
        Ranges.check(spec, "--keys", keys, 1, 1_000_000);
        Ranges.check(spec, "--rate", rate, 1, 100_000);
        Ranges.check(spec, "--retain-certificates", certificates, 2, 1_000_000);
        Ranges.check(spec, "--heap-bound", heapBound, 1, 1_000_000);
        Ranges.check(spec, "--disk-bound", diskBound, 1, 1_000_000);
    }

    private Process launch(Path directory, NodeId node) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                node.role() == Role.APPSERVER ? "appserver" : "bftserver",
                directory.toString(),
                "--index",
                Integer.toString(node.index())));
        if (node.role() == Role.APPSERVER) {
            arguments.addAll(retention.arguments());
        }
        Path logs = Files.createDirectories(folder.resolve("logs"));
        ProcessBuilder builder = new ProcessBuilder(Supervisor.command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        logs.resolve(node + ".out").toFile()));
        builder.environment().put("ASPAS_LOG_FILE", logs.resolve(node + ".log").toString());
        Process process = builder.start();
        processes.put(node, process);
        return process;
    }

    private static void checkRunning(ProcessCluster cluster) throws IOException {
        if (!cluster.ended().isEmpty()) {
            throw new IOException(cluster.ended() + " ended by itself; see its log");
        }
    }

    private static void awaitReady(ProcessCluster cluster, AppserverAccess access)
            throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        for (int server = 0; server < access.appservers(); server++) {
            while (!access.probe(server).ready()) {
                checkRunning(cluster);
                if (System.nanoTime() > deadline) {
                    throw new TimeoutException("appserver-" + server + " is not ready after " + START_SECONDS + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }
    }

    private GrowthSeries measured(
            ProcessCluster cluster, AppserverAccess access, ProcessMeter meter, DeploymentDirectory deployment)
            throws IOException, InterruptedException {
        List<GrowthSample> samples = new ArrayList<>();
        long begin = System.nanoTime();
        try (SteadyUpdates load = SteadyUpdates.begin(access, clients, keys, rate)) {
            for (int at = 0; at * every <= minutes * 60; at++) {
                long due = begin + TimeUnit.SECONDS.toNanos((long) at * every);
                TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
                checkRunning(cluster);
                Map<String, NodeUse> uses = new TreeMap<>();
                for (Map.Entry<NodeId, Process> one : processes.entrySet()) {
                    uses.put(
                            one.getKey().toString(),
                            meter.measure(one.getValue().toHandle(), deployment.dataPath(one.getKey())));
                }
                double seconds = (System.nanoTime() - begin) / 1e9;
                samples.add(new GrowthSample(seconds, access.probe(0).standing().entries(), uses));
                write(samples);
                NodeUse first = Objects.requireNonNull(uses.get("appserver-0"));
                tell(String.format(
                        Locale.ROOT,
                        "%5.1f min, %d updates (%d left out, %d failed): appserver-0 has %.1f MiB of heap, %.1f MiB of"
                                + " disk",
                        seconds / 60,
                        samples.get(at).updates(),
                        load.leftOut(),
                        load.failed(),
                        first.heapBytes() / 1048576.0,
                        first.diskBytes() / 1048576.0));
                if (at * every % 300 == 0) {
                    long pid = Objects.requireNonNull(processes.get(NodeId.appserver(0)))
                            .pid();
                    Files.writeString(
                            Files.createDirectories(folder.resolve("histograms"))
                                    .resolve("appserver-0-" + at * every + "s.txt"),
                            meter.histogram(pid));
                }
            }
        }
        return series(samples);
    }

    private GrowthSeries series(List<GrowthSample> samples) {
        return new GrowthSeries(samples, TimeUnit.MINUTES.toSeconds(from));
    }

    private void write(List<GrowthSample> samples) throws IOException {
        GrowthSeries series = series(samples);
        Files.writeString(folder.resolve("growth.csv"), series.csv());
        if (samples.size() > 1) {
            String about = clients + " clients, " + keys + " objects, " + rate + " updates a second; at least "
                    + certificates + " certificates are kept; " + String.join(" ", retention.arguments());
            Files.writeString(folder.resolve("index.html"), GrowthPage.html(series, about));
        }
    }

    private int report(GrowthSeries series) throws IOException {
        double heap = series.most("appserver", NodeUse::heapBytes);
        double disk = series.most("appserver", NodeUse::diskBytes);
        ObjectNode document = JSON.createObjectNode();
        document.put("folder", folder.toString())
                .put(
                        "updates",
                        series.samples().get(series.samples().size() - 1).updates())
                .put("samples_counted", series.counted())
                .put("heap_bytes_per_update", heap)
                .put("disk_bytes_per_update", disk);
        Files.writeString(folder.resolve("growth.json"), document.toPrettyString() + "\n");
        if (json.wanted()) {
            json.print(document);
        } else {
            series.lines().forEach(json.out()::println);
            json.out()
                    .println(String.format(
                            Locale.ROOT,
                            "the worst appserver: %.2f bytes of heap and %.2f of disk for each update, from minute %d"
                                    + " on; see %s",
                            heap,
                            disk,
                            from,
                            folder.resolve("index.html")));
        }
        return heap <= heapBound && disk <= diskBound ? ExitCodes.DONE : ExitCodes.FAILED;
    }

    private void tell(String line) {
        if (!json.wanted()) {
            json.out().println(line);
            json.out().flush();
        }
    }
}

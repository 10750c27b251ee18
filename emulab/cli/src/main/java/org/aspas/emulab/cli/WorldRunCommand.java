package org.aspas.emulab.cli;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.ProcessCluster;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas world run}: a deployment as processes of this machine, and a world's whole timeline. */
@Command(
        name = "run",
        description = {
            "Start every node of a deployment as a process of this machine, at its place in a world, and run the"
                    + " world's timeline: partitions, slow links, frozen and killed nodes, and Byzantine roles.",
            "Start clients by hand, with the --world and --world-start that the command prints."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:a node ended by itself, or not all were ready when the timeline began",
            "2:wrong usage"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas world run aws5 lab", "  aspas world run storm.yaml lab --after 30 --seconds 120"})
final class WorldRunCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "WORLD",
            converter = WorldConverter.class,
            description = "paper, aws5, lan or a file (docs/worlds.md)")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private WorldMap world;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            description = "the deployment's directory; all its hosts must be this machine")
    private Path directory = Path.of(".");

    @Option(
            names = "--after",
            paramLabel = "S",
            defaultValue = "60",
            description = "seconds from the start of the processes to the start of the timeline, 1 to 3600 (default:"
                    + " ${DEFAULT-VALUE})")
    private int after;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "length of the timeline in seconds, 1 to 86400 (default: until Ctrl-C)")
    private @Nullable Integer seconds;

    @Option(
            names = "--logs",
            paramLabel = "FOLDER",
            description = "folder for the logs of the nodes (default: logs in the deployment's directory)")
    private @Nullable Path logs;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--after", after, 1, 3_600);
        Ranges.check(spec, "--seconds", seconds == null ? 1 : seconds, 1, 86_400);
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        long micros = seconds == null ? Long.MAX_VALUE : TimeUnit.SECONDS.toMicros(seconds);
        world.idle(descriptor.quorums(), micros).ifPresent(why -> {
            throw new ParameterException(spec.commandLine(), "world " + world.name() + " " + why);
        });
        HttpClient http = trust.of(deployment).http().build();
        Path folder = Files.createDirectories(logs != null ? logs : directory.resolve("logs"));
        Instant begins = Instant.now().plusSeconds(after).truncatedTo(ChronoUnit.MILLIS);
        List<NodeId> nodes =
                descriptor.nodes().stream().map(NodeDescription::id).sorted().toList();
        try (ProcessCluster cluster =
                new ProcessCluster(node -> launch(node, begins, folder), line -> tell(begins, line))) {
            CountDownLatch told = new CountDownLatch(1);
            Thread stop = new Thread(() -> {
                told.countDown();
                cluster.close();
            });
            Runtime.getRuntime().addShutdownHook(stop);
            cluster.start(nodes);
            print(nodes.size() + " nodes of " + descriptor.name() + " in world " + world.name() + ", logs in "
                    + folder);
            print("clients: --world " + worldName() + " --world-start " + begins);
            cluster.begin(world, begins);
            int code = watch(cluster, http, descriptor, begins, told);
            if (told.getCount() > 0) {
                Runtime.getRuntime().removeShutdownHook(stop);
            }
            return code;
        }
    }

    private int watch(
            ProcessCluster cluster, HttpClient http, Descriptor descriptor, Instant begins, CountDownLatch told)
            throws InterruptedException {
        List<AppserverProbe> waiting = new ArrayList<>();
        for (NodeDescription node : descriptor.nodes()) {
            if (node.id().role() == Role.APPSERVER) {
                waiting.add(new AppserverProbe(http, node.http()));
            }
        }
        boolean begun = false;
        Instant end = seconds == null ? Instant.MAX : begins.plusSeconds(seconds);
        while (Instant.now().isBefore(end) && !told.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            List<NodeId> ended = cluster.ended();
            if (!ended.isEmpty()) {
                print(ended + " ended by itself; see its log");
                return ExitCodes.FAILED;
            }
            if (!begun && ready(waiting)) {
                begun = true;
                tell(begins, "all appservers are ready");
            } else if (!begun && Instant.now().isAfter(begins)) {
                print("not all appservers are ready when the timeline begins: increase --after");
                return ExitCodes.FAILED;
            }
        }
        return ExitCodes.DONE;
    }

    private static boolean ready(List<AppserverProbe> probes) throws InterruptedException {
        for (AppserverProbe probe : probes) {
            if (!probe.ready()) {
                return false;
            }
        }
        return true;
    }

    private Process launch(NodeId node, Instant begins, Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                node.role() == Role.APPSERVER ? "appserver" : "bftserver",
                directory.toString(),
                "--index",
                Integer.toString(node.index()),
                "--world",
                worldName(),
                "--world-start",
                begins.toString()));
        if (node.role() == Role.BFTSERVER) {
            arguments.add("--no-supervise");
        }
        ProcessBuilder builder = new ProcessBuilder(Supervisor.command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve(node + ".log").toFile()));
        builder.environment().put("ASPAS_LOG_TO", "STDERR");
        return builder.start();
    }

    private String worldName() {
        return spec.commandLine()
                .getParseResult()
                .matchedPositional(0)
                .originalStringValues()
                .get(0);
    }

    private void tell(Instant begins, String line) {
        double since = Duration.between(begins, Instant.now()).toMillis() / 1e3;
        print(String.format(Locale.ROOT, "%8.1f s  %s", since, line));
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
    }
}

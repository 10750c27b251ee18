package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.Role;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.emulab.testbed.cluster.AppserverProbe;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DetachedProcess;
import org.aspas.emulab.testbed.deployment.NodeFiles;
import org.aspas.emulab.testbed.deployment.NodeProcess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas up}: starts the nodes of a deployment that belong on this machine. */
@Command(
        name = "up",
        description = {
            "Start the nodes of a deployment that belong on this machine, each as a process that keeps running after"
                    + " this command. Only nodes that are not running are started.",
            "If more than two nodes belong on this machine, each gets a small JVM; ASPAS_JAVA_OPTS overrides its"
                    + " options.",
            "Their output goes to DIR/logs/NODE.out and their logs to DIR/logs/NODE.log; 'aspas down DIR' stops them."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all nodes are running; with --wait, all are ready",
            "1:a node has ended by itself",
            "2:the command line or a file that it names is wrong",
            "3:with --wait: a node is not ready in time"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas up lab --wait", "  aspas up /srv/aspas --node appserver-2,bftserver-2 --json"})
final class UpCommand implements Callable<Integer> {
    private static final long POLL_MILLIS = 200;
    private static final Duration PROBE = Duration.ofSeconds(5);
    private static final int LAST_LINES = 5;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private NodesOption nodes = new NodesOption();

    @Option(
            names = "--wait",
            arity = "0..1",
            fallbackValue = "60",
            paramLabel = "SECONDS",
            description = "Wait until appservers report that they are ready and bftservers accept links, for at most"
                    + " this many seconds, 1 to 3600 (default: 60).")
    private @Nullable Integer wait;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Let bftserver-I serve /metrics for Prometheus on this port plus I, 1 to 65000 (default:"
                    + " none). Appservers serve it on their client ports.")
    private @Nullable Integer metricsPort;

    @Mixin
    private TracingOptions tracing = new TracingOptions();

    @Mixin
    private LogOptions log = new LogOptions();

    @Mixin
    private JsonOption json = new JsonOption();

    /** One node, and how far it has come. */
    private static final class Node {
        final NodeDescription described;
        final NodeProcess process;
        String state;
        /** What keeps it from being ready, as far as it is known. */
        String why = "";

        Node(NodeDescription described, NodeProcess process, String state) {
            this.described = described;
            this.process = process;
            this.state = state;
        }
    }

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--wait", wait == null ? 1 : wait, 1, 3_600);
        Ranges.check(spec, "--metrics-port", metricsPort == null ? 1 : metricsPort, 1, 65_000);
        retention.limits(spec);
        tracing.settings(spec);
        DeploymentDirectory deployment = new DeploymentDirectory(nodes.directory());
        Descriptor descriptor = deployment.descriptor();
        List<NodeDescription> wanted = nodes.of(descriptor);
        List<String> options = options(descriptor, wanted.size());
        FileAccess.READERS.directories(nodes.directory().resolve("logs"));
        List<Node> started = new ArrayList<>();
        try (NodeFiles files = NodeFiles.lock(nodes.directory().resolve("run"))) {
            for (NodeDescription node : wanted) {
                started.add(start(files, node, options));
            }
        }
        if (wait != null) {
            HttpClient http = trust.of(deployment).http().connectTimeout(PROBE).build();
            await(http, descriptor, started, Duration.ofSeconds(wait));
        }
        started.stream().filter(node -> !node.process.runs()).forEach(node -> node.state = "ended");
        report(started);
        return exit(started);
    }

    private static List<String> options(Descriptor descriptor, int wanted) {
        long here = descriptor.nodes().stream().filter(BindAddress::isHere).count();
        return SmallNodes.options(
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                System.getenv().getOrDefault("ASPAS_JAVA_OPTS", ""),
                (int) Math.max(here, wanted));
    }

    private Node start(NodeFiles files, NodeDescription node, List<String> options) throws IOException {
        Optional<NodeProcess> running = files.running(node.id());
        if (running.isPresent()) {
            return new Node(node, running.get(), "runs");
        }
        List<String> arguments = new ArrayList<>(List.of(
                node.id().role() == Role.APPSERVER ? "appserver" : "bftserver",
                nodes.directory().toString(),
                "--index",
                Integer.toString(node.id().index())));
        arguments.addAll(log.arguments());
        arguments.addAll(tracing.arguments());
        if (node.id().role() == Role.APPSERVER) {
            arguments.addAll(store.arguments());
            arguments.addAll(retention.arguments());
        } else if (metricsPort != null) {
            int port = metricsPort + node.id().index();
            arguments.addAll(List.of("--metrics-port", Integer.toString(port)));
        }
        NodeProcess process = NodeProcess.of(DetachedProcess.start(
                Supervisor.command(options, arguments),
                Map.of("ASPAS_LOG_FILE", log(node, ".log").toString()),
                log(node, ".out")));
        files.note(node.id(), process);
        return new Node(node, process, "started");
    }

    private Path log(NodeDescription node, String suffix) {
        return nodes.directory().resolve("logs").resolve(node.id() + suffix);
    }

    private static void await(HttpClient http, Descriptor descriptor, List<Node> started, Duration patience)
            throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        List<Node> waiting = new ArrayList<>(started);
        while (true) {
            for (Node node : List.copyOf(waiting)) {
                if (isReady(http, descriptor, node)) {
                    node.state = "ready";
                    waiting.remove(node);
                } else if (!node.process.runs()) {
                    waiting.remove(node);
                }
            }
            if (waiting.isEmpty() || System.nanoTime() >= end) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        waiting.forEach(node -> node.state = "not ready");
    }

    /** Whether the node's own process serves: another deployment's, or another process, may answer at its address. */
    private static boolean isReady(HttpClient http, Descriptor descriptor, Node node) throws InterruptedException {
        NodeDescription described = node.described;
        if (described.id().role() == Role.APPSERVER) {
            StatusRow row = StatusRow.ask(http, PROBE, descriptor, described).join();
            node.why = row.state() == StatusRow.State.OTHER ? row.silence() : row.trouble();
            return row.tells()
                    && new AppserverProbe(http, described.http()).ready()
                    && node.process.listensAt(described.servicePort());
        }
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(described.host(), described.linkPort()), Math.toIntExact(PROBE.toMillis()));
        } catch (IOException notYet) {
            node.why = "";
            return false;
        }
        boolean own = node.process.listensAt(described.linkPort());
        node.why = own ? "" : "another process listens at " + described.host() + ":" + described.linkPort();
        return own;
    }

    private void report(List<Node> started) throws IOException {
        ObjectNode document = JSON.createObjectNode();
        var list = document.putArray("nodes");
        for (Node node : started) {
            String name = node.described.id().toString();
            list.addObject()
                    .put("node", name)
                    .put("state", node.state.replace(' ', '_'))
                    .put("pid", node.process.pid())
                    .put("output", log(node.described, ".out").toString());
            if (!json.wanted()) {
                json.out()
                        .println(String.format(
                                Locale.ROOT, "%-13s %-9s process %d", name, node.state, node.process.pid()));
            }
            if (node.state.equals("ended") && !json.wanted()) {
                lastLines(log(node.described, ".out"))
                        .forEach(line -> json.out().println("    " + line));
            } else if (node.state.equals("not ready") && !node.why.isEmpty() && !json.wanted()) {
                json.out().println("    " + node.why);
            }
        }
        if (json.wanted()) {
            json.print(document);
        }
    }

    private static List<String> lastLines(Path output) throws IOException {
        List<String> lines = Files.readAllLines(output);
        return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private static int exit(List<Node> started) {
        if (started.stream().anyMatch(node -> node.state.equals("ended"))) {
            return ExitCodes.FAILED;
        }
        boolean late = started.stream().anyMatch(node -> node.state.equals("not ready"));
        return late ? ExitCodes.UNREACHABLE : ExitCodes.DONE;
    }

    /**
     * How the JVMs of nodes are set when many nodes share one machine: little memory each, and few threads that only serve the JVM
     * itself. A machine with an appserver and a bftserver of its own keeps the settings for speed.
     */
    static final class SmallNodes {
        /** Up to so many nodes on one machine keep the settings for speed. */
        private static final int MOST_LARGE = 2;

        private static final long LEAST_HEAP = 128;
        private static final long MOST_HEAP = 512;
        private static final int SHARE = 4;

        /** What these settings replace: they ask for more memory than they have to. */
        private static final List<String> REPLACED = List.of(
                "-XX:+UseTransparentHugePages", "-XX:InitialRAMPercentage=", "-XX:TieredStopAtLevel=", "-Xms", "-Xmx");

        /** A JVM that is told two of them does not start. */
        private static final List<String> COLLECTORS = List.of(
                "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseZGC", "-XX:+UseShenandoahGC");

        private SmallNodes() {}

        /**
         * The options of a JVM.
         *
         * @param wanted what the user wants: {@code ASPAS_JAVA_OPTS}, which stands above all
         */
        static List<String> options(List<String> options, String wanted, int nodes) {
            if (nodes <= MOST_LARGE) {
                return options;
            }
            List<String> given =
                    wanted.isBlank() ? List.of() : List.of(wanted.strip().split("\\s+"));
            List<String> made = new ArrayList<>(options);
            made.removeIf(starts(REPLACED).or(COLLECTORS::contains).or(given::contains));
            if (given.stream().noneMatch(COLLECTORS::contains)) {
                made.add("-XX:+UseSerialGC");
            }
            made.addAll(List.of(
                    "-Xms8m",
                    "-Xmx" + heapMebibytes(nodes) + "m",
                    "-XX:MinHeapFreeRatio=10",
                    "-XX:MaxHeapFreeRatio=20",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:ReservedCodeCacheSize=64m"));
            made.addAll(given);
            return List.copyOf(made);
        }

        private static Predicate<String> starts(List<String> prefixes) {
            return option -> prefixes.stream().anyMatch(option::startsWith);
        }

        /** What a quarter of the machine's memory gives to each node, in bounds; an object of a mebibyte is held several times. */
        private static long heapMebibytes(int nodes) {
            long machine = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getTotalMemorySize();
            return Math.max(LEAST_HEAP, Math.min(MOST_HEAP, (machine >> 20) / SHARE / nodes));
        }
    }
}

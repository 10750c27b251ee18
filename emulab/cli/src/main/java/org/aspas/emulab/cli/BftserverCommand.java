package org.aspas.emulab.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.bftcluster.frame.SerialFilter;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.BftServerMetrics;
import org.aspas.bftcluster.node.BftServerOptions;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.bftcluster.telemetry.MetricsPort;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas bftserver}: runs one bftserver until it is told to stop, and again when it fails. */
@Command(
        name = "bftserver",
        description = "Run one bftserver of a deployment until it is stopped (Ctrl-C).",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas bftserver lab --index 0 --metrics-port 9100",
            "  aspas bftserver /srv/aspas --index 2 --bind 10.0.0.7 --log-format json"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:success",
            "1:failure",
            "2:the command line or a file that it names is wrong",
            "6:the record is damaged; the message names the file and the byte offset",
            "70:with --no-supervise: the replica halted, or its disk cannot be written; otherwise it is restarted"
        })
final class BftserverCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(BftserverCommand.class);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(names = "--index", required = true, paramLabel = "INDEX", description = "Index of this bftserver, from 0.")
    private int index;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address on which the links listen; 0.0.0.0 is every address of this machine (default: the"
                    + " address in the descriptor).")
    private @Nullable String bind;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory for its record of what it accepted and signed (default: data/bftserver-INDEX in"
                    + " the deployment's directory).")
    private @Nullable Path data;

    @Option(
            names = "--no-supervise",
            description = "Run the replica in this process, which exits with code 70 when the replica cannot continue"
                    + " (default: in a child process, which is restarted).")
    private boolean alone;

    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Port that serves /metrics for Prometheus and /livez, on the address of the links, 1 to 65535"
                    + " (default: none).")
    private @Nullable Integer metricsPort;

    @Mixin
    private TracingOptions tracing = new TracingOptions();

    @Mixin
    private WorldOption world = new WorldOption();

    @Mixin
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() throws Exception {
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        NodeId id = NodeId.bftserver(NodeIndex.check(index, descriptor.quorums().bftservers()));
        String host = BindAddress.of(bind, descriptor.node(id));
        Path record = data != null ? data : deployment.dataPath(id);
        SigningKey key = deployment.key(descriptor, id);
        KeyPair orderingKey = deployment.orderingKey(descriptor, index);
        if (metricsPort != null) {
            Ranges.check(spec, "--metrics-port", metricsPort, 1, 65_535);
        }
        BftServerOptions options =
                new BftServerOptions(host, Map.of(), Optional.of(record)).withTracing(tracing.settings(spec));
        return alone ? serve(descriptor, id, key, orderingKey, options) : supervise(host, record);
    }

    /** All that the user could have got wrong has been checked. */
    private int supervise(String host, Path record) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "bftserver",
                directory.toString(),
                "--index",
                "" + index,
                "--bind",
                host,
                "--data",
                record.toString(),
                "--no-supervise"));
        arguments.addAll(world.arguments());
        arguments.addAll(log.arguments());
        arguments.addAll(tracing.arguments());
        if (metricsPort != null) {
            arguments.addAll(List.of("--metrics-port", metricsPort.toString()));
        }
        return new Supervisor(arguments).run();
    }

    private int serve(Descriptor descriptor, NodeId id, SigningKey key, KeyPair orderingKey, BftServerOptions options)
            throws Exception {
        Supervisor.endWithSupervisor();
        OwnAddress.requireNobody(descriptor.node(id), key);
        PrintCapture.install();
        SerialFilter.install(BftServer.linkFrameBytes(descriptor));
        Thread.setDefaultUncaughtExceptionHandler((thread, bug) -> {
            LOG.error("{} died in thread {}", id, thread.getName(), bug);
            Runtime.getRuntime().halt(ExitCodes.HALTED);
        });
        EmulatedNetwork network = world.network(index);
        BftServerOptions delayed = options.withDelay(network == null ? null : network.delayOf(id));
        BftServer server;
        try {
            server = BftServer.start(descriptor, index, key, orderingKey, delayed);
        } catch (RecordUnusableException unusable) {
            return halted(id, unusable);
        }
        try (MetricsPort metrics = metrics(server, descriptor, id, String.valueOf(options.bindHost()))) {
            runUntilStopped(
                    server,
                    descriptor.name(),
                    descriptor.node(id),
                    options.data().orElseThrow(),
                    network);
            return ExitCodes.DONE;
        }
    }

    /** The port for Prometheus; null when none is wanted. */
    private @Nullable MetricsPort metrics(BftServer server, Descriptor descriptor, NodeId self, String host)
            throws CommandFailed {
        Integer port = metricsPort;
        if (port == null) {
            return null;
        }
        List<NodeId> others = descriptor.nodes().stream()
                .map(NodeDescription::id)
                .filter(node -> !node.equals(self))
                .toList();
        try {
            return MetricsPort.open(
                    new InetSocketAddress(host, port), new BftServerMetrics(server, self, others)::read);
        } catch (IOException taken) {
            server.close();
            throw new CommandFailed("port " + port + " for metrics cannot be bound: " + taken.getMessage());
        }
    }

    /** A disk that cannot be written may be written later: whoever supervises the process tries again. */
    private static int halted(NodeId id, RecordUnusableException unusable) throws RecordUnusableException {
        if (!unusable.mayPass()) {
            throw unusable;
        }
        LOG.error("{} halts: {}", id, unusable.getMessage());
        return ExitCodes.HALTED;
    }

    private void runUntilStopped(
            BftServer server, String name, NodeDescription node, Path data, @Nullable EmulatedNetwork network)
            throws InterruptedException {
        server.failure().thenAccept(reason -> {
            LOG.error("{} halts: {}", node.id(), reason);
            Runtime.getRuntime().halt(ExitCodes.HALTED);
        });
        PrintWriter out = spec.commandLine().getOut();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            WorldOption.report(out, network);
            stopped.countDown();
        }));
        out.println(node.id() + " of " + name + " runs: links at port " + node.linkPort() + ", record in " + data
                + (server.tailCutBytes() > 0 ? ", tail cut " + server.tailCutBytes() + " bytes" : ""));
        stopped.await();
    }
}

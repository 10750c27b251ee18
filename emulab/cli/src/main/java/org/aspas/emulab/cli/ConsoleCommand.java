package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.KeyRule;
import org.aspas.emulab.console.feed.NodeControl;
import org.aspas.emulab.console.remote.DeploymentWatch;
import org.aspas.emulab.console.remote.WatchOptions;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory.UnusableDirectory;
import org.aspas.emulab.testbed.deployment.NodeFiles;
import org.aspas.emulab.testbed.deployment.NodeProcess;
import org.aspas.emulab.testbed.deployment.ProcessSignal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas console DIR}: a page over a running deployment. */
@Command(
        name = "console",
        description = {
            "Print the address of a page that shows a running deployment: servers, certificates, lag, and convictions"
                    + " with their proofs. The console runs until Ctrl-C.",
            "The page is served to this machine only, under a random token, and is read-only unless --operate is given."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas console lab",
            "  aspas console lab --watch likes/42 --world aws5",
            "  aspas console lab --operate"
        })
final class ConsoleCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(
            names = "--watch",
            paramLabel = "KEY",
            description = "Counter whose local and certified values to show from every server; repeatable.")
    private List<String> watched = List.of();

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "World that places the nodes on the map (docs/worlds.md).")
    private @Nullable WorldMap world;

    @Option(
            names = "--operate",
            description = "Let the page kill, start, freeze and thaw the nodes that 'aspas up' started on this machine;"
                    + " requires the operator's key in DIR.")
    private boolean operate;

    @Mixin
    private TrustOption trust = new TrustOption();

    @Override
    public Integer call() throws UnusableDirectory, IOException, InterruptedException {
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        for (String key : watched) {
            KeyRule.fault(key, descriptor.limits().keyBytes()).ifPresent(fault -> {
                throw new ParameterException(spec.commandLine(), "--watch: " + fault);
            });
        }
        WatchOptions options = new WatchOptions(
                descriptor,
                deployment.descriptorFile(),
                deployment.operator(),
                trust.of(deployment),
                watched,
                world,
                control(descriptor));
        try (DeploymentWatch watch = DeploymentWatch.start(options)) {
            Terminal terminal = Terminal.of(spec.commandLine().getOut());
            terminal.title("Open this page in a browser of this machine:");
            terminal.title("  " + watch.address());
            terminal.line("Treat this URL as a password. Ctrl-C ends the console; the deployment keeps running.");
            if (spec.commandLine().getOut().checkError()) {
                return ExitCodes.DONE; // Nobody has the address, and Aspas says why.
            }
            CountDownLatch over = new CountDownLatch(1);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                watch.close();
                over.countDown();
            }));
            over.await();
            return ExitCodes.DONE;
        }
    }

    private @Nullable NodeControl control(Descriptor descriptor) {
        if (!operate) {
            return null;
        }
        Path key = directory.resolve("operator.key");
        if (!Files.isReadable(key)) {
            throw new ParameterException(
                    spec.commandLine(), "--operate needs the operator's key, and there is no readable " + key);
        }
        return new ProcessControl(directory, descriptor);
    }

    /** The nodes that {@code aspas up} started on this machine. Thread-safe. */
    private static final class ProcessControl implements NodeControl {
        private final Path directory;
        private final List<NodeId> nodes;
        private final Set<NodeId> frozen = new ConcurrentSkipListSet<>();

        ProcessControl(Path directory, Descriptor descriptor) {
            this.directory = directory;
            this.nodes = descriptor.nodes().stream().map(NodeDescription::id).toList();
        }

        /** Without a lock: who only looks must not keep 'up' and 'down' from their work. */
        private Optional<NodeProcess> process(NodeId node) throws IOException {
            return NodeFiles.running(run(), node);
        }

        private Path run() {
            return directory.resolve("run");
        }

        @Override
        public synchronized Set<NodeId> running() throws IOException {
            Set<NodeId> running = new TreeSet<>();
            for (NodeId node : nodes) {
                if (process(node).isPresent()) {
                    running.add(node);
                }
            }
            frozen.retainAll(running);
            return running;
        }

        @Override
        public Set<NodeId> frozen() {
            return Set.copyOf(frozen);
        }

        /** The node's process, and those that it has started: a bftserver's first one starts it again. */
        private List<NodeProcess> processes(NodeId node) throws IOException {
            return process(node)
                    .orElseThrow(() -> new IOException("the node is not running"))
                    .withDescendants();
        }

        @Override
        public synchronized void stop(NodeId node) throws IOException {
            try (NodeFiles files = NodeFiles.lock(run())) {
                processes(node).forEach(NodeProcess::kill);
                files.forget(node);
            }
        }

        @Override
        public synchronized void start(NodeId node) throws IOException, InterruptedException {
            List<String> up = List.of("up", directory.toString(), "--node", node.toString());
            int exit = new ProcessBuilder(Supervisor.command(up))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (exit != ExitCodes.DONE) {
                throw new IOException("'aspas up' exited with " + exit + "; see DIR/logs/" + node + ".out");
            }
        }

        @Override
        public synchronized void freeze(NodeId node) throws IOException, InterruptedException {
            signal(node, "STOP");
            frozen.add(node);
        }

        @Override
        public synchronized void thaw(NodeId node) throws IOException, InterruptedException {
            signal(node, "CONT");
            frozen.remove(node);
        }

        private void signal(NodeId node, String signal) throws IOException, InterruptedException {
            for (NodeProcess process : processes(node)) {
                ProcessSignal.send(process.handle(), signal);
            }
        }
    }
}

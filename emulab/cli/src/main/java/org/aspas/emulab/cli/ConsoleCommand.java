package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.wire.KeyRule;
import org.aspas.emulab.console.port.NodeControl;
import org.aspas.emulab.console.remote.DeploymentWatch;
import org.aspas.emulab.console.remote.WatchOptions;
import org.aspas.emulab.experiments.Terminal;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.aspas.emulab.lab.deployment.DeploymentDirectory.UnusableDirectory;
import org.aspas.emulab.sim.world.WorldMap;
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
            "Print the address of a page that shows a running deployment: servers, certificates, lag, convictions with their"
                    + " proofs. It goes on until Ctrl-C.",
            "The page is served on this machine alone, behind a random token. It changes nothing, unless --operate is given."
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
            description =
                    "A counter whose local and certified values are shown, from every server; may be given again.")
    private List<String> watched = List.of();

    @Option(
            names = "--world",
            paramLabel = "NAME|FILE",
            converter = WorldConverter.class,
            description = "Where the nodes are, for the map (docs/worlds.md).")
    private @Nullable WorldMap world;

    @Option(
            names = "--operate",
            description =
                    "Let the page kill, start, freeze and thaw the nodes that 'aspas up' started on this machine. The"
                            + " operator's key must be in DIR.")
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
            terminal.line("Treat this URL as a password. Ctrl-C ends the console; the deployment goes on.");
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
}

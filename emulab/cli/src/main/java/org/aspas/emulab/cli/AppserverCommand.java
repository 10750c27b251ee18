package org.aspas.emulab.cli;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.appserver.main.AppServer;
import org.aspas.appserver.main.AppServerOptions;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.lab.attack.Attack;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas appserver}: runs one appserver until it is told to stop. */
@Command(
        name = "appserver",
        description = "Run one appserver of a deployment in this process, until it is told to stop (Ctrl-C).",
        footerHeading = "%nExamples:%n",
        footer = {
            "  aspas appserver lab --index 0",
            "  aspas appserver /srv/aspas --index 2 --bind 10.0.0.7",
            "  aspas appserver lab --index 0 --allow-origin https://example.org"
        })
final class AppserverCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "The deployment's directory.")
    private Path directory = Path.of(".");

    @Option(names = "--index", required = true, paramLabel = "INDEX", description = "Which appserver this is, from 0.")
    private int index;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Where its links and its client port listen (default: the address that the descriptor names; "
                    + "0.0.0.0 is every address of this machine).")
    private @Nullable String bind;

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            description = {
                "Web pages of this origin, such as https://example.org, may use its client port; may be given several"
                        + " times (default: no page of any origin). Programs outside of browsers need none."
            })
    private List<String> origins = List.of();

    @Mixin
    private WorldOption world = new WorldOption();

    @Override
    public Integer call() throws Exception {
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        NodeId id = NodeId.appserver(NodeIndex.check(index, descriptor.quorums().appservers()));
        NodeDescription node = descriptor.node(id);
        String host = BindAddress.of(bind, node);
        EmulatedNetwork network = world.network(index);
        AppServerOptions options = AppServerOptions.defaults()
                .withOrigins(origins)
                .withDelay(network == null ? null : network.delayOf(id))
                .withAddresses(
                        new InetSocketAddress(host, node.linkPort()), new InetSocketAddress(host, node.servicePort()));
        Attack attack = world.attack(index, spec.commandLine().getOut()::println);
        if (attack != null) {
            options = options.withMachine(attack.machine(index));
        }
        AppServer server = AppServer.start(descriptor, index, deployment.key(descriptor, id), options);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.close();
            WorldOption.report(spec.commandLine().getOut(), network);
            stopped.countDown();
        }));
        spec.commandLine()
                .getOut()
                .println(id + " of " + descriptor.name() + " runs: clients at http://" + node.host() + ":"
                        + node.servicePort() + "/v1/, links at port " + node.linkPort());
        stopped.await();
        return ExitCodes.DONE;
    }
}

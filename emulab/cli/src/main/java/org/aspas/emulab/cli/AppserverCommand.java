package org.aspas.emulab.cli;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.JsonAccess;
import org.aspas.appserver.main.AppServer;
import org.aspas.appserver.main.AppServerOptions;
import org.aspas.appserver.main.StartException;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.emulab.lab.attack.Attack;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
            "  aspas appserver lab --index 0 --allow-origin https://example.org",
            "  aspas appserver lab --index 0 --tls-cert fullchain.pem --tls-key privkey.pem",
            "  aspas appserver lab --index 0 --otlp-endpoint http://127.0.0.1:4318 --trace-ratio 0.1"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:it failed",
            "2:the command line or a file that it names is wrong",
            "6:its store is damaged; the file and the byte are named",
            "70:it halted, or its disk cannot be written: started again, it goes on"
        })
final class AppserverCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(AppserverCommand.class);
    /** How long the end waits for clients to go, and for certificates. */
    private static final Duration DRAIN = Duration.ofSeconds(5);

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

    @Option(
            names = "--json-api",
            paramLabel = "off|loopback|on",
            description = "Who may use counters and sets in JSON, without a key: nobody, programs on this machine, or"
                    + " everybody who reaches the port (default: loopback).")
    private JsonAccess jsonApi = JsonAccess.LOOPBACK;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where it keeps its entries and what it signed (default: data/appserver-INDEX in the"
                    + " deployment's directory).")
    private @Nullable Path data;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Mixin
    private RetentionOptions retention = new RetentionOptions();

    @Mixin
    private ServerTlsOptions tls = new ServerTlsOptions();

    @Mixin
    private TracingOptions tracing = new TracingOptions();

    @Mixin
    private WorldOption world = new WorldOption();

    @Mixin
    @SuppressWarnings("UnusedVariable") // LogOptions.prepare has read it.
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() throws Exception {
        DeploymentDirectory deployment = new DeploymentDirectory(directory);
        Descriptor descriptor = deployment.descriptor();
        NodeId id = NodeId.appserver(NodeIndex.check(index, descriptor.quorums().appservers()));
        NodeDescription node = descriptor.node(id);
        String host = BindAddress.of(bind, node);
        Path kept = data != null ? data : deployment.dataPath(id);
        EmulatedNetwork network = world.network(index);
        AppServerOptions options = AppServerOptions.defaults()
                .withOrigins(origins)
                .withHttp(HttpLimits.defaults().withJsonApi(jsonApi))
                .withMachine(MachineMaker.INTRODUCED)
                .withStore(store.in(kept, spec))
                .withRetention(retention.limits(spec))
                .withClientTls(tls.of(deployment, node, spec))
                .withDelay(network == null ? null : network.delayOf(id))
                .withTracing(tracing.settings(spec))
                .withAddresses(
                        new InetSocketAddress(host, node.linkPort()),
                        new InetSocketAddress(host, node.servicePort()),
                        node.sessionPort() == 0 ? null : new InetSocketAddress(host, node.sessionPort()));
        Attack attack = world.attack(index, spec.commandLine().getOut()::println);
        if (attack != null) {
            options = options.withMachine(attack.machine(index));
        }
        SigningKey key = deployment.key(descriptor, id);
        OwnAddress.requireNobody(node, key);
        LOG.info("{} begins, and reads its store in {}", id, kept);
        try {
            serve(AppServer.start(descriptor, index, key, options), descriptor, node, network);
            return ExitCodes.DONE;
        } catch (StartException failed) {
            // A disk that cannot be written may be written later: whoever supervises the process tries again.
            if (!failed.mayPass()) {
                throw failed;
            }
            LOG.error("{} halts: {}", id, failed.getMessage());
            return ExitCodes.HALTED;
        }
    }

    private void serve(AppServer server, Descriptor descriptor, NodeDescription node, @Nullable EmulatedNetwork network)
            throws InterruptedException {
        server.failure().thenAccept(reason -> {
            LOG.error("{} halts: {}", node.id(), reason);
            Runtime.getRuntime().halt(ExitCodes.HALTED);
        });
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.drain(DRAIN);
            server.close();
            WorldOption.report(spec.commandLine().getOut(), network);
            stopped.countDown();
        }));
        spec.commandLine()
                .getOut()
                .println(node.id() + " of " + descriptor.name() + " runs: clients at " + node.http() + "/v1/"
                        + (node.sessionPort() == 0 ? "" : " and port " + node.sessionPort())
                        + ", links at port " + node.linkPort());
        stopped.await();
    }
}

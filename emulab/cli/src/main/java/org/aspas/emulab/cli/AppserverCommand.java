package org.aspas.emulab.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.JsonAccess;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.ClientTls;
import org.aspas.appserver.node.StartException;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SigningKey;
import org.aspas.emulab.testbed.attack.Attack;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code aspas appserver}: runs one appserver until it is told to stop. */
@Command(
        name = "appserver",
        description = "Run one appserver of a deployment in this process until it is stopped (Ctrl-C).",
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
            "0:success",
            "1:failure",
            "2:the command line or a file that it names is wrong",
            "6:the store is damaged; the message names the file and the byte offset",
            "70:the server halted, or its disk cannot be written; restart it to continue"
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

    @Option(names = "--index", required = true, paramLabel = "INDEX", description = "Index of this appserver, from 0.")
    private int index;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description = "Address on which the links and the client ports listen; 0.0.0.0 is every address of this"
                    + " machine (default: the address in the descriptor).")
    private @Nullable String bind;

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            description = {
                "Origin whose web pages may use the client port, such as https://example.org; repeatable (default:"
                        + " none). Programs outside browsers need no origin."
            })
    private List<String> origins = List.of();

    @Option(
            names = "--json-api",
            paramLabel = "off|loopback|on",
            description = "Who may use the JSON API, which needs no client key: nobody, programs on this machine, or"
                    + " everyone who can reach the port (default: loopback).")
    private JsonAccess jsonApi = JsonAccess.LOOPBACK;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Directory for its entries and its record of what it signed (default: data/appserver-INDEX in"
                    + " the deployment's directory).")
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
        LOG.info("{} starts and reads its store in {}", id, kept);
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

    /** What an appserver shows to clients that come by TLS. */
    private static final class ServerTlsOptions {
        @Option(
                names = "--tls-cert",
                paramLabel = "FILE",
                description = "Certificate chain to present to clients, in PEM, with the server's certificate first"
                        + " (default if the descriptor says that clients use TLS: keys/appserver-INDEX.tls.pem).")
        private @Nullable Path certificate;

        @Option(
                names = "--tls-key",
                paramLabel = "FILE",
                description = "Private key of that certificate: unencrypted PKCS#8 in PEM; RSA, EC or Ed25519 (default:"
                        + " keys/appserver-INDEX.tls.key).")
        private @Nullable Path key;

        @Option(
                names = "--tls-proxy",
                description = "Listen without TLS although the descriptor says that clients use it, because a proxy in"
                        + " front of this server terminates TLS.")
        private boolean proxy;

        /**
         * What it shows; null for nothing.
         *
         * @throws IllegalArgumentException when a file holds something else, or the descriptor says otherwise
         * @throws ParameterException when the options do not fit each other
         */
        @Nullable
        ClientTls of(DeploymentDirectory deployment, NodeDescription node, CommandSpec spec) throws IOException {
            Path shown = certificate;
            Path secret = key;
            if (shown == null != (secret == null)) {
                throw new ParameterException(spec.commandLine(), "--tls-cert and --tls-key must be given together");
            }
            if (proxy && shown != null) {
                throw new ParameterException(spec.commandLine(), "--tls-proxy and --tls-cert exclude each other");
            }
            if (!node.clientTls() && (proxy || shown != null)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "the descriptor says that clients reach " + node.id() + " without TLS, so none would use it;"
                                + " 'aspas init --tls' makes a deployment for "
                                + (proxy ? "--tls-proxy" : "--tls-cert"));
            }
            if (!node.clientTls() || proxy) {
                return null;
            }
            if (shown == null || secret == null) {
                shown = deployment.tlsCertificatePath(node.id());
                secret = deployment.tlsKeyPath(node.id());
                if (!Files.exists(shown)) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "the descriptor says that clients reach " + node.id() + " by TLS, and " + shown
                                    + " does not exist: name --tls-cert and --tls-key, or --tls-proxy");
                }
            }
            return ClientTls.read(shown, secret);
        }
    }
}

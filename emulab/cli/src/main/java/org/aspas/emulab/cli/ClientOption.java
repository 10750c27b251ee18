package org.aspas.emulab.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.SigningKey;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.Tolerance;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Policy;
import org.aspas.crdt.value.Printable;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How a command reaches an appserver, and as whom. */
final class ClientOption {
    /** How long a server may be of no use before a command turns to another one that is. */
    private static final Duration UNREACHABLE = Duration.ofSeconds(1);

    /** With pauses from 100 ms on that double: three seconds, in which a command finds a server that answers, if there is one. */
    private static final int ATTEMPTS = 6;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private TrustOption trust = new TrustOption();

    @Option(
            names = "--server",
            paramLabel = "INDEX",
            description = "Ask only this appserver (default: 0, or in a --world the nearest to --place; if it does not"
                    + " answer for a second while others do, the client switches to one of them).")
    private @Nullable Integer asked;

    @Option(names = "--no-failover", description = "Do not switch to another appserver, even without --server.")
    private boolean alone;

    @Mixin
    private WorldOption world = new WorldOption();

    @Option(
            names = "--place",
            defaultValue = "0",
            paramLabel = "INDEX",
            description = "Index of this client in the --world, from 0, which determines its site (default:"
                    + " ${DEFAULT-VALUE}).")
    private int place;

    @Mixin
    private ClientNameOption client = new ClientNameOption();

    @Option(
            names = "--timeout",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "Seconds to wait for the answer, from 1, and as long again for a certificate (default:"
                    + " ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(
            names = "--inspect",
            paramLabel = "P",
            description =
                    "Probability, 0 to 1, that other appservers are asked to recompute an answer (default: 0.01).")
    private @Nullable Double inspection;

    @Option(
            names = "--verbose",
            description = "Also print the version, and on stderr the events of updates and servers.")
    private boolean verbose;

    Descriptor descriptor() throws DeploymentDirectory.UnusableDirectory {
        return deployment.directory().descriptor();
    }

    PendingRequests record() throws DeploymentDirectory.UnusableDirectory {
        return client.record(deployment.directory(), command);
    }

    /** A client without a bound on unconfirmed updates. */
    OpenClient connect() throws Exception {
        return connect(Tolerance.UNBOUNDED);
    }

    /**
     * A client of its own, or in a shell the one that commands with the same options share.
     *
     * @param tolerance its τ: from 1, or {@link Tolerance#UNBOUNDED}
     */
    OpenClient connect(long tolerance) throws Exception {
        ClientPool shell = ClientNameOption.shell(command);
        OpenClient open = shell == null ? connected(tolerance) : shell.of(way(), () -> connected(tolerance));
        open.tolerance(tolerance);
        return open;
    }

    private List<Object> way() {
        return List.of(
                deployment.directory().root(),
                trust.named(),
                Optional.ofNullable(asked),
                alone,
                WorldOption.arguments(command.commandLine()),
                place,
                client.name(),
                timeoutSeconds,
                Optional.ofNullable(inspection),
                verbose);
    }

    private OpenClient connected(long tolerance) throws DeploymentDirectory.UnusableDirectory, IOException {
        DeploymentDirectory directory = deployment.directory();
        Descriptor descriptor = directory.descriptor();
        EmulatedNetwork network = network();
        int server = server(descriptor.quorums().appservers() - 1, network);
        FileClientState record = new FileClientState(directory.clientPath(client.name(), ".state"), descriptor.id());
        ClientOptions options = options(directory).withTolerance(tolerance).withState(record);
        if (network != null) {
            options = network.place(options, ClientResources.shared(), place);
        }
        SigningKey key = client.key(directory);
        long began = System.nanoTime();
        AspasClient started = AspasClient.connect(descriptor, key, server, options);
        if (verbose) {
            started.events(this::print);
        }
        return new OpenClient(started, descriptor, client.name(), record, timeoutSeconds, began);
    }

    private @Nullable EmulatedNetwork network() {
        if (place < 0) {
            throw new IllegalArgumentException("--place " + place + " is less than 0");
        }
        return world.network(place);
    }

    private int server(int last, @Nullable EmulatedNetwork network) {
        int nearest = network == null ? 0 : network.world().home(place, last + 1);
        int server = asked == null ? nearest : asked;
        if (server < 0 || server > last) {
            throw new IllegalArgumentException("--server " + server + " is outside 0.." + last);
        }
        return server;
    }

    private ClientOptions options(DeploymentDirectory directory) throws IOException {
        if (timeoutSeconds < 1) {
            throw new IllegalArgumentException("--timeout " + timeoutSeconds + " is less than 1");
        }
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        double inspected = inspection == null ? Policy.USUAL.inspection() : inspection;
        Policy policy = new Policy(
                !alone && asked == null,
                Policy.USUAL.graceMillis(),
                UNREACHABLE.toMillis(),
                Policy.USUAL.newestCertificateMillis(),
                inspected,
                Policy.USUAL.inspectionsPerMinute());
        return ClientOptions.defaults()
                .withTimeouts(timeout, timeout)
                .withConnectAttempts(ATTEMPTS)
                .withPolicy(policy)
                .withTrust(trust.of(directory));
    }

    private void print(ClientEvent event) {
        command.commandLine().getErr().println(Printable.text(event.toString()));
    }
}

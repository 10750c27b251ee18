package org.aspas.emulab.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Tolerance;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.emulab.lab.delay.EmulatedNetwork;
import org.aspas.emulab.lab.deployment.DeploymentDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a one-shot command reaches an appserver, and as whom. */
final class ClientOption {
    private static final int INSPECTIONS_PER_MINUTE = 60;

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Option(
            names = "--server",
            paramLabel = "INDEX",
            description = "The appserver to ask (default: 0; in a --world, the nearest to --place).")
    private @Nullable Integer asked;

    @Mixin
    private WorldOption world = new WorldOption();

    @Option(
            names = "--place",
            defaultValue = "0",
            paramLabel = "INDEX",
            description = "Which client of the --world it is, from 0, and so where it is (default: ${DEFAULT-VALUE}).")
    private int place;

    @Option(
            names = "--client",
            defaultValue = "cli",
            paramLabel = "NAME",
            description = "Whose key to use, from DIR/clients; made on first use (default: ${DEFAULT-VALUE}).")
    private String client = "cli";

    @Option(
            names = "--timeout",
            defaultValue = "10",
            paramLabel = "SECONDS",
            description = "How long to wait, from 1 (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(names = "--certified", description = "Read the certified value with its proof, not the live one.")
    private boolean certified;

    @Option(names = "--confirm", description = "Return from an update only when a verified certificate covers it.")
    private boolean confirm;

    @Option(
            names = "--tau",
            paramLabel = "N",
            description = "How many updates may be unconfirmed at once: from 1, 1 waits for the certificate of each; "
                    + "0 for no bound (default).")
    private long tolerance;

    @Option(
            names = "--inspect",
            paramLabel = "P",
            description = "The probability, 0 to 1, that other appservers are asked to recompute an answer "
                    + "(default: 0.01).")
    private @Nullable Double inspection;

    @Option(names = "--verbose", description = "Print to stderr what becomes of the updates and of the servers.")
    private boolean verbose;

    boolean confirm() {
        return confirm;
    }

    ReadLevel level() {
        return certified ? ReadLevel.CERTIFIED : ReadLevel.LOCAL;
    }

    AspasClient connect() throws DeploymentDirectory.UnusableDirectory, IOException {
        DeploymentDirectory directory = deployment.directory();
        Descriptor descriptor = directory.descriptor();
        int last = descriptor.quorums().appservers() - 1;
        if (place < 0) {
            throw new IllegalArgumentException("--place " + place + " is less than 0");
        }
        EmulatedNetwork network = world.network(place);
        int nearest = network == null ? 0 : network.world().home(place, last + 1);
        int server = asked == null ? nearest : asked;
        if (server < 0 || server > last) {
            throw new IllegalArgumentException("--server " + server + " is outside 0.." + last);
        }
        if (timeoutSeconds < 1) {
            throw new IllegalArgumentException("--timeout " + timeoutSeconds + " is less than 1");
        }
        Duration timeout = Duration.ofSeconds(timeoutSeconds);
        ClientOptions options = ClientOptions.defaults()
                .withTimeouts(timeout, timeout)
                .withConnectAttempts(1)
                .withTolerance(tolerance == 0 ? Tolerance.UNBOUNDED : tolerance)
                .withState(new FileClientState(directory.clientPath(client, ".state")));
        if (inspection != null) {
            options = options.withInspection(inspection, INSPECTIONS_PER_MINUTE);
        }
        if (network != null) {
            options = network.place(options, ClientResources.shared(), place);
        }
        AspasClient connected = AspasClient.connect(descriptor, directory.clientKey(client), server, options);
        if (verbose) {
            connected.events(ClientOption::print);
        }
        return connected;
    }

    private static void print(ClientEvent event) {
        System.err.println(event);
    }

    <T> T await(CompletionStage<T> stage) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return stage.toCompletableFuture().get(timeoutSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            TimeoutException named = new TimeoutException("no answer within " + timeoutSeconds + " s");
            named.initCause(late);
            throw named;
        }
    }
}

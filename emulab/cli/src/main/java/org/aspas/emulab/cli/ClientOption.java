package org.aspas.emulab.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Tolerance;
import org.aspas.client.api.Update;
import org.aspas.client.api.UpdateAnswer;
import org.aspas.client.api.UpdateConfirmation;
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

    @Mixin
    private TrustOption trust = new TrustOption();

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
            description =
                    "How long to wait for the answer, from 1, and with --confirm as long again for the certificate "
                            + "(default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds;

    @Option(names = "--certified", description = "Read the certified value with its proof, not the live one.")
    private boolean certified;

    @Option(
            names = "--confirm",
            description =
                    "Return from an update only when a verified certificate covers it; exit code 5 when none does "
                            + "in time.")
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

    private @Nullable AspasClient connected;

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
                .withTrust(trust.of(directory))
                .withTolerance(tolerance == 0 ? Tolerance.UNBOUNDED : tolerance)
                .withState(new FileClientState(directory.clientPath(client, ".state"), descriptor.id()));
        if (inspection != null) {
            options = options.withInspection(inspection, INSPECTIONS_PER_MINUTE);
        }
        if (network != null) {
            options = network.place(options, ClientResources.shared(), place);
        }
        AspasClient started = AspasClient.connect(descriptor, directory.clientKey(client), server, options);
        if (verbose) {
            started.events(ClientOption::print);
        }
        connected = started;
        return started;
    }

    private static void print(ClientEvent event) {
        System.err.println(event);
    }

    /** What a read gives. A timeout says who was silent, and since when. */
    <T> T await(CompletionStage<T> stage) throws InterruptedException, ExecutionException, TimeoutException {
        return within(stage).orElseThrow(() -> new TimeoutException(silence()));
    }

    /** The answer to an update. A timeout says what may become of the update. */
    UpdateAnswer answer(Update update) throws InterruptedException, ExecutionException, TimeoutException {
        String waits = tolerance == 1 ? " (with --tau 1 the answer waits for a certificate)" : "";
        return within(update.answered())
                .orElseThrow(() -> new TimeoutException(
                        silence() + waits + "; the update may take effect all the same, and twice if it is repeated"));
    }

    /** The confirmation of an update that is answered; empty when none comes in time. */
    Optional<UpdateConfirmation> confirmation(Update update) throws InterruptedException, ExecutionException {
        return within(update.confirmed());
    }

    private <T> Optional<T> within(CompletionStage<T> stage) throws InterruptedException, ExecutionException {
        try {
            return Optional.of(stage.toCompletableFuture().get(timeoutSeconds, TimeUnit.SECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        }
    }

    /** An open session says that the server was there; without one it never said anything that counts. */
    private String silence() {
        AspasClient client = connected;
        boolean open = client != null && client.ready().toCompletableFuture().isDone();
        String server = client == null ? "the appserver" : "appserver-" + client.server();
        return "no answer from " + server + " within " + timeoutSeconds + " s"
                + (open ? "" : ", which opened no session: it is stopped, cut off or overloaded");
    }

    /** The newest certificate that the client has verified; none before the first. */
    CertificateNumber newest() {
        AspasClient client = connected;
        return client == null
                ? CertificateNumber.NONE
                : client.newestCertificate().map(Certificate::number).orElse(CertificateNumber.NONE);
    }

    /** What to say when an update was answered and no certificate covered it in time. */
    String notConfirmed(UpdateAnswer answer, CertificateNumber whenAnswered) {
        CertificateNumber now = newest();
        String why = now.isAfter(whenAnswered)
                ? "certificates came, up to " + now.value() + ", and none is proved to cover it"
                : "no certificate came (see aspas status)";
        return "the update is answered by appserver-" + answer.dot().origin() + ", and not confirmed within "
                + timeoutSeconds + " s: " + why + "; it counts there already, and twice if it is repeated";
    }
}

package org.aspas.client.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ReadPart;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Notice;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.transport.ServerTrust;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A client of one ASPAS deployment, in session with one of its appservers at a time. It trusts no server: every answer,
 * certificate and proof is verified; a server that lies, withholds or cannot be reached is left for another, as {@link
 * ClientOptions#policy} says. Thread-safe and asynchronous; a lost connection is made again, and what is unconfirmed is
 * sent again.
 *
 * <p>A method that is given what it cannot take (a key that is empty, too long or not well-formed Unicode, an element that is none,
 * an amount below 1, null) throws {@link AspasException.InvalidCall} at once and does nothing; the client goes on. All other
 * failures come by the stages. {@code connect} throws {@link IllegalArgumentException}, for there is no client yet.
 */
public final class AspasClient implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final ClientShell shell;
    private final ClientId id;
    private final ClientOptions options;
    private final ClientCalls calls;

    /** The last τ that was set, which the core may not have seen yet. */
    private volatile long tolerance;

    private AspasClient(ClientAssembly parts, ClientOptions options) {
        this.shell = parts.shell();
        this.id = parts.id();
        this.options = options;
        this.calls = new ClientCalls(shell, parts.bound(), parts.keyBytes());
        this.tolerance = options.tolerance;
    }

    /**
     * Starts a client of the deployment in a folder, as {@link #connect(Path, String, ClientOptions)} with the usual options.
     *
     * @throws IOException when a file of the deployment or of the client is missing or wrong
     */
    public static AspasClient connect(Path deployment, String name) throws IOException {
        return connect(deployment, name, ClientOptions.defaults());
    }

    /**
     * Starts a client of the deployment in a folder, which connects in the background. Its key is {@code clients/NAME.key}, made on
     * first use, and its record {@code clients/NAME.state}: what an earlier start left unconfirmed is sent again. Any number of
     * clients may use one name at once. Servers with TLS are trusted by {@code tls-ca.pem}, if there is one.
     *
     * @param deployment the folder, with {@code deployment.json}, {@code deployment.json.sig} and {@code operator.pub}
     * @param name 1 to 64 letters, digits, dots, underscores and hyphens of ASCII
     * @param options how the client behaves; a state store, an ephemeral key or a trust of theirs goes before that of the folder
     * @throws IOException when a file of the deployment or of the client is missing or wrong; the message is one line that names it
     * @throws IllegalArgumentException when the options name an appserver that the descriptor does not list
     */
    public static AspasClient connect(Path deployment, String name, ClientOptions options) throws IOException {
        DeploymentFolder folder = new DeploymentFolder(ClientOptions.given(deployment, "the deployment"));
        ClientOptions.given(name, "the name");
        ClientOptions.given(options, "options");
        Descriptor descriptor = folder.descriptor();
        SigningKey key = folder.clientKey(name);
        ClientOptions chosen = options.trust == ServerTrust.usual() ? options.withTrust(folder.trust()) : options;
        if (options.state == null && !options.ephemeral) {
            chosen = chosen.withState(new FileClientState(folder.clientPath(name, ".state"), descriptor.id()));
        }
        try {
            return connect(descriptor, key, firstServer(descriptor, options), chosen);
        } catch (UncheckedIOException unusable) {
            throw new IOException(unusable.getMessage(), unusable.getCause());
        }
    }

    private static int firstServer(Descriptor descriptor, ClientOptions options) {
        Integer asked = options.server;
        return asked == null ? new SecureRandom().nextInt(descriptor.quorums().appservers()) : asked;
    }

    /**
     * Starts a client with a new key that nobody else has and nothing keeps, which connects in the background. What is unconfirmed when
     * it ends is not sent again.
     *
     * @param deployment its descriptor, verified
     * @param options how the client behaves; a state store in them is not used
     * @throws IllegalArgumentException when the options name an appserver that the descriptor does not list
     */
    public static AspasClient connectEphemeral(Descriptor deployment, ClientOptions options) {
        ClientOptions.given(deployment, "the deployment");
        ClientOptions ephemeral = ClientOptions.given(options, "options").withEphemeralKey();
        return connect(deployment, SigningKey.generate(), firstServer(deployment, options), ephemeral);
    }

    /**
     * Starts a client, which connects in the background.
     *
     * @param deployment its descriptor, verified
     * @param key the client's key, which any number of clients may use at once, each as one of its own
     * @param server the index of the appserver to talk to first
     * @param options how the client behaves, with {@link ClientOptions#withState} or {@link ClientOptions#withEphemeralKey}
     * @throws IllegalArgumentException when the descriptor lists no such appserver, or the options say neither where the client's
     *     record is nor that the key is ephemeral
     * @throws java.io.UncheckedIOException when the client's record cannot be read
     */
    public static AspasClient connect(Descriptor deployment, SigningKey key, int server, ClientOptions options) {
        ClientOptions.given(deployment, "the deployment");
        ClientOptions.given(key, "the key");
        ClientOptions.given(options, "options");
        if (options.state == null && !options.ephemeral) {
            throw new IllegalArgumentException(
                    "a client needs a place for what it has not confirmed yet: options.withState(...);"
                            + " or say that nothing is kept: options.withEphemeralKey()");
        }
        AspasClient client = new AspasClient(ClientAssembly.of(deployment, key, server, options), options);
        client.shell.start();
        return client;
    }

    /** This client's id, which no other start with its key has. */
    public ClientId id() {
        return id;
    }

    /** Done with the session's number once the server has answered the first session; fails if the client ends before. */
    public CompletionStage<Long> ready() {
        return shell.ready.minimalCompletionStage();
    }

    public Counter counter(String key) {
        return new Counter(handle(), calls.checkedKey(key));
    }

    /** A handle of an add-wins set with elements of any kind. */
    public AddWinsSet set(String key) {
        return new AddWinsSet(handle(), calls.checkedKey(key));
    }

    /** A handle of an add-wins set whose elements are all of one kind, such as {@link ElementType#TEXT}. */
    public <E> TypedSet<E> set(String key, ElementType<E> elements) {
        return new TypedSet<>(set(key), AspasException.given(elements, "the set " + key, "the type of elements"));
    }

    private ObjectCalls handle() {
        return new ObjectCalls(calls, options.answerDeadline, options.confirmationDeadline, Duration.ZERO);
    }

    /** Updates an object of any type; the typed handles call this. */
    public Update update(String key, DataType type, Operation operation) {
        return handle().update(key, type, operation);
    }

    /**
     * Reads an object of any type; the typed handles call this.
     *
     * @param type the datatype that it is expected to have
     */
    public CompletionStage<ReadResult<Value>> read(String key, DataType type, ReadLevel level) {
        return read(key, type, level, null);
    }

    /**
     * Reads a part of an object: one element, or a page of certified ones.
     *
     * @param type the datatype that it is expected to have
     * @param part which part; null for all
     */
    public CompletionStage<ReadResult<Value>> read(
            String key, DataType type, ReadLevel level, @Nullable ReadPart part) {
        return handle().read(key, type, level, part);
    }

    /**
     * Asks the server for a retained certificate, which is verified.
     *
     * @param number the certificate's number, or none for the newest
     * @return the certificate, or empty when the server does not hold it
     */
    public CompletionStage<Optional<Certificate>> certificate(CertificateNumber number) {
        return calls.certificate(number);
    }

    /**
     * Changes τ. Updates that wait now follow the new value.
     *
     * @param tolerance from 1, or {@link Tolerance#UNBOUNDED}
     */
    public void tolerance(long tolerance) {
        if (!Tolerance.isOne(tolerance)) {
            throw AspasException.invalid("tolerance", Tolerance.RANGE + tolerance);
        }
        this.tolerance = tolerance;
        shell.post(new Event.ToleranceChanged(tolerance));
    }

    /** τ as it was set last: from 1, or {@link Tolerance#UNBOUNDED}. How much of it is in use, {@link #statistics} say. */
    public long tolerance() {
        return tolerance;
    }

    /** Hears every {@link Notice} from now on, on the client's executor: it returns quickly. */
    public void listen(Consumer<Notice> listener) {
        shell.listeners.add(AspasException.given(listener, "listen", "the listener"));
    }

    /**
     * Hears every {@link ClientEvent} from now on, in order, on the client's executor: it returns quickly. What was
     * confirmed, revoked, rolled back to and resubmitted; which servers were left and convicted, and why.
     */
    public void events(Consumer<ClientEvent> listener) {
        shell.eventListeners.add(AspasException.given(listener, "events", "the listener"));
    }

    /** The index of the appserver that this client talks to now. */
    public int server() {
        return shell.connection.server;
    }

    /**
     * Moves to another appserver, for example to one that is nearer now, or that is up again. What is unconfirmed goes along, as
     * after every switch: {@link ClientEvent.Switched} and {@link ClientEvent.Resubmitted} say so. Where the client is there already, or the
     * server is convicted, nothing happens. The client leaves that server too, if it is of no use.
     *
     * @param index the appserver's, from 0
     * @throws AspasException.InvalidCall when the deployment has no such appserver
     */
    public void moveTo(int index) {
        int servers = shell.connection.servers();
        if (index < 0 || index >= servers) {
            throw AspasException.invalid("moveTo", "appserver " + index + " is none of the deployment's " + servers);
        }
        shell.post(new Event.ServerChosen(index));
    }

    /** The newest certificate that this client has verified in this run. */
    public Optional<Certificate> newestCertificate() {
        return Optional.ofNullable(shell.newest);
    }

    public ClientStatistics statistics() {
        Certificate newest = shell.newest;
        return new ClientStatistics(
                calls.updates.sum(),
                shell.calls.answered.sum(),
                shell.calls.confirmed.sum(),
                calls.reads.sum(),
                shell.calls.readsDone.sum(),
                shell.calls.failed.sum(),
                shell.verificationFailures,
                shell.unconfirmed,
                shell.waiting,
                shell.waited,
                shell.tolerance,
                shell.exposure,
                shell.connection.connections,
                newest == null ? 0 : newest.number().value(),
                shell.inspections,
                shell.connection.switches,
                shell.inspected);
    }

    /** Starts to close; pending stages fail with {@link AspasException.ClientClosed}. */
    public CompletionStage<Void> closeAsync() {
        if (!shell.ended.isDone()) {
            shell.post(new Event.End(new Failure.Closed()));
        }
        return shell.ended.minimalCompletionStage();
    }

    /** Closes and waits for at most five seconds until every pending stage has failed. */
    @Override
    public void close() {
        CompletableFuture<Void> ended = closeAsync().toCompletableFuture();
        if (shell.mailbox.isCurrent()) {
            return;
        }
        try {
            ended.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            throw new IllegalStateException("the client did not close within " + CLOSE_SECONDS + " s", late);
        }
    }
}

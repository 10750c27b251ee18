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
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Event;
import org.aspas.client.core.Failure;
import org.aspas.client.core.Notice;
import org.aspas.client.deployment.DeploymentFolder;
import org.aspas.client.net.ServerTrust;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A client of one ASPAS deployment, in session with one of its appservers at a time (docs/protocol.md §6). It trusts no server: it
 * verifies every answer, certificate and proof, and moves to another server when its own lies, withholds or cannot be reached, as the
 * {@link ClientOptions#withPolicy policy} says. It restores a lost connection and sends the unconfirmed updates again. Thread-safe and
 * asynchronous.
 *
 * <p>Invalid arguments make a method throw {@link AspasException.InvalidCall} at once, without any effect on the client: a key that is
 * empty, too long or not well-formed Unicode, a value that cannot be an element, an amount below 1, or null. All other failures are
 * reported through the returned stages. The {@code connect} methods throw {@link IllegalArgumentException} instead, because no client
 * exists yet.
 */
public final class AspasClient implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final ClientShell shell;
    private final ClientId id;
    private final ClientOptions options;
    private final ClientCalls calls;

    /** The most recent τ that was set; the core may not have processed it yet. */
    private volatile long tolerance;

    private AspasClient(ClientAssembly parts, ClientOptions options) {
        this.shell = parts.shell();
        this.id = parts.id();
        this.options = options;
        this.calls = new ClientCalls(shell, parts.bound(), parts.keyBytes());
        this.tolerance = options.tolerance;
    }

    /**
     * Starts a client of the deployment in a folder with the default options; see {@link #connect(Path, String, ClientOptions)}.
     *
     * @throws IOException when a file of the deployment or of the client is missing or invalid
     */
    public static AspasClient connect(Path deployment, String name) throws IOException {
        return connect(deployment, name, ClientOptions.defaults());
    }

    /**
     * Starts a client of the deployment in a folder; it connects in the background. The client's key is {@code clients/NAME.key},
     * created on first use, and its record is {@code clients/NAME.state}, so the client sends again whatever an earlier run left
     * unconfirmed. Any number of clients may use one name at once. If the folder contains {@code tls-ca.pem}, that file decides which
     * TLS certificates of servers are trusted.
     *
     * @param deployment the folder, with {@code deployment.json}, {@code deployment.json.sig} and {@code operator.pub}
     * @param name 1 to 64 ASCII letters, digits, dots, underscores and hyphens
     * @param options how the client behaves; a state store, an ephemeral key or a trust set there takes precedence over the folder's
     * @throws IOException when a file of the deployment or of the client is missing or invalid; the message is one line that names it
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
     * Starts a client with a fresh key that is never stored; it connects in the background. Updates that are unconfirmed when the client
     * ends are not sent again.
     *
     * @param deployment the deployment's verified descriptor
     * @param options how the client behaves; a state store set there is ignored
     * @throws IllegalArgumentException when the options name an appserver that the descriptor does not list
     */
    public static AspasClient connectEphemeral(Descriptor deployment, ClientOptions options) {
        ClientOptions.given(deployment, "the deployment");
        ClientOptions ephemeral = ClientOptions.given(options, "options").withEphemeralKey();
        return connect(deployment, SigningKey.generate(), firstServer(deployment, options), ephemeral);
    }

    /**
     * Starts a client with the given key; it connects in the background.
     *
     * @param deployment the deployment's verified descriptor
     * @param key the client's key; any number of clients may use it at once, each under an id of its own
     * @param server the index of the first appserver to use, from 0
     * @param options how the client behaves, with {@link ClientOptions#withState} or {@link ClientOptions#withEphemeralKey}
     * @throws IllegalArgumentException when the descriptor lists no such appserver, or when the options neither name a store for the
     *     client's record nor make the key ephemeral
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

    /** Returns this client's id, which is unique even among clients with the same key. */
    public ClientId id() {
        return id;
    }

    /** Returns a stage that completes with the session's number when the first session is open; it fails if the client ends first. */
    public CompletionStage<Long> ready() {
        return shell.ready.minimalCompletionStage();
    }

    /**
     * Returns a handle of a counter; nothing is sent.
     *
     * @param key a non-empty, well-formed Unicode text within the deployment's limit
     * @throws AspasException.InvalidCall when no object can have this key
     */
    public Counter counter(String key) {
        return new Counter(handle(), calls.checkedKey(key));
    }

    /**
     * Returns a handle of an add-wins set with elements of any kind; nothing is sent.
     *
     * @throws AspasException.InvalidCall when no object can have this key
     */
    public AddWinsSet set(String key) {
        return new AddWinsSet(handle(), calls.checkedKey(key));
    }

    /**
     * Returns a handle of an add-wins set whose elements all have one type; nothing is sent.
     *
     * @param elements their type, such as {@link ElementType#TEXT}
     * @throws AspasException.InvalidCall when no object can have this key
     */
    public <E> TypedSet<E> set(String key, ElementType<E> elements) {
        return new TypedSet<>(set(key), AspasException.given(elements, "the set " + key, "the type of elements"));
    }

    private ObjectCalls handle() {
        return new ObjectCalls(calls, options.answerDeadline, options.confirmationDeadline, Duration.ZERO);
    }

    /**
     * Updates an object of any type, as the typed handles do.
     *
     * @throws AspasException.InvalidCall when the key, the type or the operation is invalid
     */
    public Update update(String key, DataType type, Operation operation) {
        return handle().update(key, type, operation);
    }

    /**
     * Reads an object of any type, as the typed handles do.
     *
     * @param type the datatype that the object is expected to have
     * @throws AspasException.InvalidCall when the key or the type is invalid
     */
    public CompletionStage<ReadResult<Value>> read(String key, DataType type, ReadLevel level) {
        return read(key, type, level, null);
    }

    /**
     * Reads a part of an object: one element, or a page of certified elements.
     *
     * @param type the datatype that the object is expected to have
     * @param part the part; null for the whole object
     * @throws AspasException.InvalidCall when the key, the type or the part is invalid
     */
    public CompletionStage<ReadResult<Value>> read(
            String key, DataType type, ReadLevel level, @Nullable ReadPart part) {
        return handle().read(key, type, level, part);
    }

    /**
     * Asks the server for a certificate that it still retains, and verifies it.
     *
     * @param number the certificate's number, or {@link CertificateNumber#NONE} for the newest
     * @return the certificate; empty when the server does not hold it
     */
    public CompletionStage<Optional<Certificate>> certificate(CertificateNumber number) {
        return calls.certificate(number);
    }

    /**
     * Changes τ (paper §3.6). Updates that are waiting already follow the new value.
     *
     * @param tolerance from 1, or {@link Tolerance#UNBOUNDED}
     * @throws AspasException.InvalidCall when the value is out of range
     */
    public void tolerance(long tolerance) {
        if (!Tolerance.isOne(tolerance)) {
            throw AspasException.invalid("tolerance", Tolerance.RANGE + tolerance);
        }
        this.tolerance = tolerance;
        shell.post(new Event.ToleranceChanged(tolerance));
    }

    /** Returns the most recent τ: from 1, or {@link Tolerance#UNBOUNDED}. {@link #statistics} tells how much of it is in use. */
    public long tolerance() {
        return tolerance;
    }

    /** Adds a listener for every {@link Notice} from now on. It is called on the client's executor, so it must not block. */
    public void listen(Consumer<Notice> listener) {
        shell.listeners.add(AspasException.given(listener, "listen", "the listener"));
    }

    /**
     * Adds a listener for every {@link ClientEvent} from now on, in order: which updates were confirmed, revoked and resubmitted, which
     * values the client rolled back to, and which servers it left or saw convicted, and why. It is called on the client's executor, so
     * it must not block.
     */
    public void events(Consumer<ClientEvent> listener) {
        shell.eventListeners.add(AspasException.given(listener, "events", "the listener"));
    }

    /** Returns the index of the appserver that this client uses now, from 0. */
    public int server() {
        return shell.connection.server;
    }

    /**
     * Moves to another appserver, for example to a nearer one or to one that is up again. The client sends its unconfirmed updates to the
     * new server, as after every switch, and reports {@link ClientEvent.Switched} and {@link ClientEvent.Resubmitted}. Nothing happens
     * when the client already uses that server, or when the server is convicted. The policy applies to the new server too, so the
     * client may leave it again.
     *
     * @param index the appserver's index, from 0
     * @throws AspasException.InvalidCall when the deployment has no such appserver
     */
    public void moveTo(int index) {
        int servers = shell.connection.servers();
        if (index < 0 || index >= servers) {
            throw AspasException.invalid("moveTo", "appserver " + index + " is none of the deployment's " + servers);
        }
        shell.post(new Event.ServerChosen(index));
    }

    /** Returns the newest certificate that this client has verified since it was created; empty before the first. */
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

    /**
     * Starts to close the client; pending stages fail with {@link AspasException.ClientClosed}.
     *
     * @return a stage that completes when all of them have failed
     */
    public CompletionStage<Void> closeAsync() {
        if (!shell.ended.isDone()) {
            shell.post(new Event.End(new Failure.Closed()));
        }
        return shell.ended.minimalCompletionStage();
    }

    /**
     * Closes the client and waits until every pending stage has failed; a call from one of the client's own callbacks does not wait.
     *
     * @throws IllegalStateException when the client has not closed within five seconds
     */
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

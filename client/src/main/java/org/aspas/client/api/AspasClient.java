package org.aspas.client.api;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.CertificateNumber;
import org.aspas.certify.message.ReadPart;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.port.ClientEvent;
import org.aspas.client.core.port.ClientSettings;
import org.aspas.client.core.port.ClientState;
import org.aspas.client.core.port.Event;
import org.aspas.client.core.port.Failure;
import org.aspas.client.core.port.Notice;
import org.aspas.client.core.port.Tagging;
import org.aspas.client.transport.DelayedTransport;
import org.aspas.client.transport.RoundTripDelay;
import org.aspas.client.transport.SocketTransport;
import org.aspas.client.transport.Transport;
import org.aspas.client.transport.WebSocketTransport;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A client of one ASPAS deployment, in session with one of its appservers at a time. It trusts no server: every answer,
 * certificate and proof is verified; a server that lies, withholds or cannot be reached is left for another, as {@link
 * ClientOptions#policy} says. Thread-safe and asynchronous; a lost connection is made again, and what is unconfirmed is
 * sent again.
 */
public final class AspasClient implements AutoCloseable {
    private static final long CLOSE_SECONDS = 5;

    private final ClientShell shell;
    private final ClientId id;
    private final int bound;
    private final AtomicInteger calls = new AtomicInteger();
    private final LongAdder updates = new LongAdder();
    private final LongAdder reads = new LongAdder();

    private AspasClient(ClientShell shell, ClientId id, int bound) {
        this.shell = shell;
        this.id = id;
        this.bound = bound;
    }

    /**
     * Starts a client, which connects in the background.
     *
     * @param deployment its descriptor, verified
     * @param key the client's key, which any number of clients may use at once, each as one of its own
     * @param server the index of the appserver to talk to first
     * @param options how the client behaves
     * @throws IllegalArgumentException when the descriptor lists no such appserver
     * @throws java.io.UncheckedIOException when the client's record cannot be read
     */
    public static AspasClient connect(Descriptor deployment, SigningKey key, int server, ClientOptions options) {
        ClientResources resources = options.resources == null ? ClientResources.shared() : options.resources;
        Descriptor descriptor = deployment.metered(resources.signatures());
        NodeDescription node = descriptor.node(NodeId.appserver(server));
        CertificateVerifier verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        ClientId id = new ClientId(
                key.publicKey(),
                Math.max(0, TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis())),
                new SecureRandom().nextLong());
        ClientSettings settings = settings(descriptor, id, node, options);
        List<Transport> transports = new ArrayList<>();
        for (int i = 0; i < descriptor.quorums().appservers(); i++) {
            transports.add(transport(descriptor, descriptor.node(NodeId.appserver(i)), options, resources));
        }
        ClientState record =
                options.state == null ? ClientState.FRESH : options.state.load().orElse(ClientState.FRESH);
        ClientCore core = new ClientCore(
                settings,
                new Sealer(key.metered(resources.signatures()), descriptor.id()),
                resources.certificates().check(descriptor.id(), verifier),
                record,
                options.tolerance,
                new SplittableRandom(options.seed == null ? new SecureRandom().nextLong() : options.seed));
        ClientShell shell = new ClientShell(core, options, resources, transports);
        int bound = options.maxWaiting + options.maxReads + options.maxUnanswered;
        shell.start();
        return new AspasClient(shell, id, bound);
    }

    private static ClientSettings settings(
            Descriptor descriptor, ClientId id, NodeDescription node, ClientOptions options) {
        return new ClientSettings(
                descriptor.verifier(),
                EvidenceJudge.of(descriptor),
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                node.id().index(),
                id,
                new ClientSettings.Bounds(
                        options.maxUnconfirmed,
                        options.maxUnanswered,
                        options.maxWaiting,
                        options.maxReads,
                        descriptor.limits().keyBytes(),
                        descriptor.limits().operationBytes()
                                + descriptor.limits().keyBytes(),
                        options.readTimeout.toMillis()),
                options.policy,
                options.state != null,
                new Tagging(descriptor.agreements(), SessionSecrets::fresh));
    }

    private static Transport transport(
            Descriptor descriptor, NodeDescription node, ClientOptions options, ClientResources resources) {
        int queued = 2 * (options.maxUnanswered + options.maxReads) + 64;
        int frameBytes = descriptor.limits().linkFrameBytes();
        Transport real = node.sessionPort() == 0
                ? new WebSocketTransport(
                        node.clientTls() ? resources.http(options.trust) : resources.http(),
                        node.webSocket(),
                        options.connectTimeout,
                        frameBytes,
                        queued)
                : new SocketTransport(
                        resources.loops(),
                        InetSocketAddress.createUnresolved(node.host(), node.sessionPort()),
                        options.connectTimeout,
                        frameBytes,
                        queued,
                        node.clientTls() ? options.trust : null);
        Transport wrapped = options.transport.apply(node.id().index(), real);
        return options.roundTrip.isZero()
                ? wrapped
                : new DelayedTransport(
                        wrapped,
                        new RoundTripDelay(options.roundTrip, resources.scheduler()),
                        resources.executor(),
                        queued);
    }

    /** Who this client is: a start of its own with its key. */
    public ClientId id() {
        return id;
    }

    /** Done with the session's number once the server has answered the first session; fails if the client ends before. */
    public CompletionStage<Long> ready() {
        return shell.ready;
    }

    /** A handle of a counter. */
    public Counter counter(String key) {
        return new Counter(this, key);
    }

    /** A handle of an add-wins set. */
    public AddWinsSet set(String key) {
        return new AddWinsSet(this, key);
    }

    /**
     * Updates an object of any type; the typed handles call this.
     *
     * @param key the object
     * @param type its datatype
     * @param operation what to do
     */
    public Update update(String key, DataType type, Operation operation) {
        updates.increment();
        Update update = new Update();
        long started = System.nanoTime();
        boolean taken = call(() ->
                shell.process(new Event.Update(shell.calls.update(update, started), key, type.name(), operation)));
        if (!taken) {
            update.fail(overflow());
        }
        return update;
    }

    /**
     * Reads an object of any type; the typed handles call this.
     *
     * @param key the object
     * @param type the datatype that it is expected to have
     * @param level what the value is to be trusted for
     */
    public CompletionStage<ReadResult<Value>> read(String key, DataType type, ReadLevel level) {
        return read(key, type, level, null);
    }

    /**
     * Reads a part of an object: one element, or a page of certified ones.
     *
     * @param key the object
     * @param type the datatype that it is expected to have
     * @param level what the value is to be trusted for
     * @param part which part; null for all
     */
    public CompletionStage<ReadResult<Value>> read(
            String key, DataType type, ReadLevel level, @Nullable ReadPart part) {
        reads.increment();
        CompletableFuture<ReadResult<Value>> result = new CompletableFuture<>();
        long started = System.nanoTime();
        boolean taken = call(() -> shell.process(new Event.ReadAsked(
                shell.calls.read(level, result, started), key, type.name(), level == ReadLevel.CERTIFIED, part)));
        if (!taken) {
            result.completeExceptionally(overflow());
        }
        return result;
    }

    /**
     * Asks the server for a retained certificate, which is verified.
     *
     * @param number the certificate's number, or none for the newest
     * @return the certificate, or empty when the server does not hold it
     */
    public CompletionStage<Optional<Certificate>> certificate(CertificateNumber number) {
        CompletableFuture<Optional<Certificate>> result = new CompletableFuture<>();
        long started = System.nanoTime();
        boolean taken =
                call(() -> shell.process(new Event.CertificateAsked(shell.calls.certificate(result, started), number)));
        if (!taken) {
            result.completeExceptionally(overflow());
        }
        return result;
    }

    /** Runs a call in the mailbox unless too many wait there already. */
    private boolean call(Runnable step) {
        if (shell.ended.isDone()) {
            return false;
        }
        if (calls.incrementAndGet() > bound) {
            calls.decrementAndGet();
            return false;
        }
        shell.mailbox.execute(() -> {
            calls.decrementAndGet();
            step.run();
        });
        return true;
    }

    private AspasException overflow() {
        return AspasException.of(
                shell.ended.isDone()
                        ? shell.reason()
                        : new Failure.Overflow("more than " + bound + " calls are queued: no more are taken"));
    }

    /**
     * Changes τ. Updates that wait now follow the new value.
     *
     * @param tolerance from 1, or {@link Tolerance#UNBOUNDED}
     */
    public void tolerance(long tolerance) {
        shell.post(new Event.ToleranceChanged(Tolerance.check(tolerance)));
    }

    /** Hears every {@link Notice} from now on, on the client's executor: it returns quickly. */
    public void listen(Consumer<Notice> listener) {
        shell.listeners.add(listener);
    }

    /**
     * Hears every {@link ClientEvent} from now on, in order, on the client's executor: it returns quickly. What was
     * confirmed, revoked, rolled back to and resubmitted; which servers were left and convicted, and why.
     */
    public void events(Consumer<ClientEvent> listener) {
        shell.eventListeners.add(listener);
    }

    /** The index of the appserver that this client talks to now. */
    public int server() {
        return shell.connection.server;
    }

    /** The newest certificate that this client has verified in this run. */
    public Optional<Certificate> newestCertificate() {
        return Optional.ofNullable(shell.newest);
    }

    /** What happened so far. */
    public ClientStatistics statistics() {
        Certificate newest = shell.newest;
        return new ClientStatistics(
                updates.sum(),
                shell.calls.answered.sum(),
                shell.calls.confirmed.sum(),
                reads.sum(),
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
        return shell.ended;
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

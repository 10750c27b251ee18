package org.aspas.bftcluster.replica;

import bftsmart.clientsmanagement.ClientData;
import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.server.Replier;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.quorum.Quorums;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of the ordering cluster. It starts in its own thread, because the library's constructor returns only when
 * enough replicas have agreed on where the order stands; after a restart it catches up by state transfer first. A closed
 * engine cannot be started again: make a new one with a new machine. Thread-safe.
 */
public final class ReplicaEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaEngine.class);
    private static final int POKE_MILLIS = 1_000;
    private static final int POKE_AGAIN_MILLIS = 20;
    private static final int LOWER_MILLIS = 3_000;
    /** An id that no replica has; the library closes such a connection at once. */
    private static final int NOBODY = -99;

    private final int replica;
    private final List<InetSocketAddress> addresses;
    private final Quorums quorums;
    private final ReplicaOptions options;
    private final PinnedRsaKeys keys;
    private final RecoverableMachine machine;
    private final @Nullable Enclosure enclosure;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private volatile @Nullable LibraryWatch watch;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private boolean started;
    private boolean closed;

    /**
     * Makes a replica with the library's own ports open, as tests and measurements of the library alone need it; nothing
     * happens before {@link #start}.
     *
     * @param replica this replica's index, 0 to n-1
     * @param addresses the request address of each replica, by index; the port after it is used too
     * @param quorums n must be its number of bftservers
     * @param own this replica's RSA key pair
     * @param keys each replica's RSA public key, by index; all of one length, at least 2048 bits
     * @param machine driven from the library's delivery thread only; also asked for a snapshot while starting
     * @param options timing and sizes
     * @throws IllegalArgumentException when the arguments do not fit together
     */
    public ReplicaEngine(
            int replica,
            List<InetSocketAddress> addresses,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions options) {
        this(replica, addresses, quorums, own, keys, machine, options, null);
    }

    /**
     * Makes a replica that listens nowhere; nothing happens before {@link #start}. Its parameters are those of the other
     * constructor, and:
     *
     * @param addresses as this process sees them: the own ones are bound for a moment only, the others lead to the others
     * @param enclosure the one way to the replica; null leaves the library's ports open
     */
    public ReplicaEngine(
            int replica,
            List<InetSocketAddress> addresses,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions options,
            @Nullable Enclosure enclosure) {
        int n = quorums.bftservers();
        if (addresses.size() != n || keys.size() != n || replica < 0 || replica >= n) {
            throw new IllegalArgumentException("replica " + replica + " with " + addresses.size() + " addresses and "
                    + keys.size() + " keys does not fit n = " + n);
        }
        this.replica = replica;
        this.addresses = List.copyOf(addresses);
        this.quorums = quorums;
        this.options = options;
        this.keys = new PinnedRsaKeys(replica, own, keys);
        this.machine = new RecoverableMachine(machine, quorums, options.checkpointPeriod());
        this.enclosure = enclosure;
        this.machine.states().whenMade(this::enclose);
        this.machine.states().whenLeftOver(this::leftOver);
        this.machine.states().whenStarting(this::boundLeaderChanges);
    }

    private void enclose(TOMLayer layer) {
        Enclosure around = enclosure;
        if (around != null) {
            LibraryInternals.enclose(layer, around.door());
            LibraryWatch made =
                    new LibraryWatch(replica, quorums.bftservers(), options.requestTimeoutMillis(), layer, failure);
            watch = made;
            made.start();
        }
    }

    private void boundLeaderChanges(TOMLayer layer) {
        Enclosure around = enclosure;
        if (around != null) {
            LibraryInternals.setLeaderChanges(
                    layer,
                    new BoundedLeaderChange(
                            layer, layer.controller, layer.md, replica, quorums.bftservers(), around.bounds()));
        }
    }

    /**
     * Begins to take part.
     *
     * @throws PortUnavailableException when one of this replica's two ports cannot be bound
     */
    public synchronized void start() throws PortUnavailableException {
        if (started || closed) {
            throw new IllegalStateException("replica " + replica + " is already started or closed");
        }
        started = true;
        InetSocketAddress requests = addresses.get(replica);
        probe(new InetSocketAddress(requests.getHostString(), requests.getPort()));
        probe(new InetSocketAddress(requests.getPort() + 1));
        Thread thread = new Thread(this::run, "replica-" + replica);
        thread.setDaemon(true);
        thread.start();
    }

    /** The library reports a taken port with a bare exception on a thread of its own, so this asks first. */
    private static void probe(InetSocketAddress address) throws PortUnavailableException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
        } catch (IOException taken) {
            throw new PortUnavailableException(address, taken);
        }
    }

    /**
     * Waits a little until the replicas with lower indexes listen. The library dials those and sleeps five seconds after
     * a refusal; replicas that start together would otherwise all pay that. Enclosed ones are woken, see {@link LibraryWatch}.
     */
    private void awaitLowerReplicas() {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOWER_MILLIS);
        for (int lower = 0; lower < replica; lower++) {
            while (!poke(
                    addresses.get(lower).getHostString(), addresses.get(lower).getPort() + 1)) {
                if (System.nanoTime() - deadline >= 0 || machine.states().awaitCancelled(POKE_AGAIN_MILLIS)) {
                    return;
                }
            }
        }
    }

    private void run() {
        try {
            if (enclosure == null) {
                awaitLowerReplicas();
            }
            var configuration = LibraryConfiguration.of(replica, addresses, quorums.b(), options, keys);
            OrderedReplica running = new OrderedReplica(
                    new ServerViewController(configuration, new MemoryBasedViewStorage()), machine, replier());
            boolean abandoned;
            synchronized (this) {
                abandoned = closed;
            }
            if (abandoned) {
                stopLayer();
                ready.cancel(false);
            } else {
                LOG.info("replica {} takes part in the order", running.getId());
                ready.complete(null);
                watch();
            }
        } catch (RuntimeException failure) {
            LOG.error("replica {} could not start", replica, failure);
            ready.completeExceptionally(failure);
        }
    }

    /** Looks now and then whether the replica has fallen behind, until it is closed. */
    private void watch() {
        while (!machine.states().awaitCancelled(StateTransfer.STEP_MILLIS)) {
            machine.states().watch();
        }
    }

    private Replier replier() {
        return enclosure == null ? new DirectReplier() : new LocalReplier(enclosure.executions());
    }

    private void leftOver(String reason) {
        if (failure.complete("replica " + replica + " is left over: " + reason)) {
            LOG.error("replica {} is left over: {}", replica, reason);
        }
    }

    /**
     * Completes with the reason when the replica must be made anew: a thread of the library has died, which is noticed only
     * with an enclosure, or the others have begun the order anew without it.
     */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    /**
     * Gives the replica a client's request, as if it came through its request port. May wait for the library's locks.
     *
     * @param request in the library's layout, already checked
     * @return whether the library has seen it; false while the replica does not take part yet or no more
     */
    public boolean inject(byte[] request) {
        TOMLayer layer = machine.states().layer();
        if (layer == null || !isReady()) {
            return false;
        }
        layer.requestReceived(message(request));
        return true;
    }

    /**
     * Gives the replica a request that it is to order although it may have had the request, or a later one of the same
     * session, before: others wait for it. It may then be ordered twice.
     */
    public boolean injectAnew(byte[] request) {
        TOMLayer layer = machine.states().layer();
        if (layer == null || !isReady()) {
            return false;
        }
        TOMMessage message = message(request);
        ClientData client = layer.clientsManager.getClientData(message.getSender());
        int last = client.getSession() == message.getSession() ? client.getLastMessageReceived() : -1;
        if (last != -1) {
            client.setLastMessageReceived(message.getSequence() - 1);
        }
        layer.requestReceived(message);
        if (last > message.getSequence()) {
            client.setLastMessageReceived(last);
        }
        return true;
    }

    private static TOMMessage message(byte[] request) {
        TOMMessage message = TOMMessage.bytesToMessage(request);
        message.serializedMessage = request;
        return message;
    }

    /** Has the replica no longer doubt its leader for the sake of a request that was passed on to the leader before. */
    public void suspend(byte[] request) {
        TOMLayer layer = machine.states().layer();
        if (layer != null && layer.requestsTimer != null) {
            layer.requestsTimer.unwatch(message(request));
        }
    }

    /** Has the replica doubt its leader when a request that was passed on to the leader before is not ordered. */
    public void watch(byte[] request) {
        TOMLayer layer = machine.states().layer();
        if (layer != null && layer.requestsTimer != null) {
            TOMMessage message = message(request);
            message.timeout = true;
            layer.requestsTimer.watch(message);
        }
    }

    /** Has the replica neither wait for a request nor order it, unless another replica proposes it. */
    public void forget(byte[] request) {
        TOMLayer layer = machine.states().layer();
        if (layer != null && layer.requestsTimer != null) {
            TOMMessage message = message(request);
            layer.requestsTimer.unwatch(message);
            LibraryInternals.removePending(layer.clientsManager.getClientData(message.getSender()), message);
        }
    }

    /** After this long a request is passed on to the leader, and after twice this long the leader doubted, in milliseconds. */
    public long requestTimeoutMillis() {
        TOMLayer layer = machine.states().layer();
        return layer == null || layer.requestsTimer == null
                ? options.requestTimeoutMillis()
                : layer.requestsTimer.getTimeout();
    }

    /** The last instance that the replica executed; -1 for none. */
    public int instance() {
        TOMLayer layer = machine.states().layer();
        return layer == null ? -1 : layer.getLastExec();
    }

    /** The regency that the replica is in, from 0. */
    public int regency() {
        TOMLayer layer = machine.states().layer();
        return layer == null || !isReady()
                ? 0
                : layer.getSynchronizer().getLCManager().getLastReg();
    }

    /** Which replica leads, as far as this one knows; -1 before it takes part. */
    public int leader() {
        TOMLayer layer = machine.states().layer();
        return layer == null || !isReady() ? -1 : layer.execManager.getCurrentLeader();
    }

    /**
     * Until the next change of leaders, a request that was not ordered is passed on to the leader after this long, and the
     * leader doubted after twice this long.
     *
     * @param millis less than the request timeout, in milliseconds
     */
    public void doubtLeader(long millis) {
        TOMLayer layer = machine.states().layer();
        if (layer != null && layer.requestsTimer != null) {
            LOG.info("replica {} begins without having heard of leader {}", replica, leader());
            layer.requestsTimer.setShortTimeout(millis);
        }
    }

    /** Completes when the replica takes part in the order, with its state caught up. */
    public CompletionStage<Void> ready() {
        return ready.minimalCompletionStage();
    }

    /** Whether the replica takes part in the order. */
    public boolean isReady() {
        return ready.isDone() && !ready.isCompletedExceptionally();
    }

    /**
     * Stops taking part. The request port is free at once; the library's own threads end within about ten seconds,
     * usually much sooner.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (!started) {
                return;
            }
        }
        machine.states().cancel();
        stopLayer();
    }

    private void stopLayer() {
        TOMLayer layer = machine.states().layer();
        if (layer == null) {
            return;
        }
        LibraryWatch watching = watch;
        if (watching != null) {
            watching.stop();
        }
        layer.shutdown();
        pokeAcceptor();
    }

    /** The library's accepting thread looks whether it should end only when a connection comes or ten seconds pass. */
    private void pokeAcceptor() {
        poke(
                InetAddress.getLoopbackAddress().getHostAddress(),
                addresses.get(replica).getPort() + 1);
    }

    private static boolean poke(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), POKE_MILLIS);
            new DataOutputStream(socket.getOutputStream()).writeInt(NOBODY);
            return true;
        } catch (IOException notListening) {
            LOG.debug("nobody accepts replicas at {}:{}", host, port);
            return false;
        }
    }
}

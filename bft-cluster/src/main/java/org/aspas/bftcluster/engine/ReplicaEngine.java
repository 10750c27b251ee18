package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.server.Replier;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
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

    private final int replica;
    private final List<InetSocketAddress> addresses;
    private final Quorums quorums;
    private final ReplicaOptions options;
    private final PinnedRsaKeys keys;
    private final RecoverableMachine machine;
    private final LibraryRequests requests;
    private final Containment containment;
    private final CompletableFuture<String> failure = new CompletableFuture<>();
    private volatile @Nullable LibraryWatchdog watchdog;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private boolean started;
    private boolean closed;

    /**
     * Makes a replica that listens nowhere; nothing happens before {@link #start}.
     *
     * @param replica this replica's index, 0 to n-1
     * @param addresses the address of each replica as this process sees it, by index: the own one and the port after it are
     *     bound for a moment only, the port after each other one leads to that replica
     * @param quorums n must be its number of bftservers
     * @param keys each replica's RSA public key, by index; all of one length, at least 2048 bits
     * @param machine driven from the library's delivery thread only; also asked for a snapshot while starting
     * @throws IllegalArgumentException when the arguments do not fit together
     */
    public ReplicaEngine(
            int replica,
            List<InetSocketAddress> addresses,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions options,
            Containment containment) {
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
        this.containment = containment;
        this.machine = new RecoverableMachine(machine, quorums, options.checkpointPeriod(), new LibraryListener());
        this.requests = new LibraryRequests(states()::layer, this::isReady, options.requestTimeoutMillis());
    }

    private StateTransfer states() {
        return machine.states();
    }

    /** Takes the library's ports away as soon as they exist, and puts our own parts in the place of its. */
    private final class LibraryListener implements StateTransfer.Listener {
        @Override
        public void onMade(TOMLayer layer) {
            LibraryInternals.enclose(layer, containment.serverSocket());
            LibraryWatchdog made =
                    new LibraryWatchdog(replica, quorums.bftservers(), options.requestTimeoutMillis(), layer, failure);
            watchdog = made;
            made.start();
        }

        @Override
        public void onStarting(TOMLayer layer) {
            LibraryInternals.setLeaderChanges(
                    layer,
                    new BoundedLeaderChange(
                            layer, layer.controller, layer.md, replica, quorums.bftservers(), containment.bounds()));
        }

        @Override
        public void onStale(String reason) {
            if (failure.complete("replica " + replica + " is left over: " + reason)) {
                LOG.error("replica {} is left over: {}", replica, reason);
            }
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
        InetSocketAddress own = addresses.get(replica);
        probe(own);
        probe(new InetSocketAddress(own.getPort() + 1));
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

    private void run() {
        try {
            var configuration = LibraryConfiguration.of(replica, addresses, quorums.b(), options, keys);
            OrderedReplica running = new OrderedReplica(
                    new ServerViewController(configuration, new MemoryBasedViewStorage()),
                    machine,
                    new LocalReplier(containment.executions()));
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
        while (!states().awaitCancelled(StateTransfer.STEP_MILLIS)) {
            states().watch();
        }
    }

    /**
     * Completes with the reason when the replica must be made anew: a thread of the library has died, or the others have begun the order anew without it.
     */
    public CompletionStage<String> failure() {
        return failure.minimalCompletionStage();
    }

    public LibraryRequests requests() {
        return requests;
    }

    /** The last instance that the replica executed; -1 for none. */
    public int instance() {
        TOMLayer layer = states().layer();
        return layer == null ? -1 : layer.getLastExec();
    }

    /** The regency that the replica is in, from 0. */
    public int regency() {
        TOMLayer layer = states().layer();
        return layer == null || !isReady()
                ? 0
                : layer.getSynchronizer().getLCManager().getLastReg();
    }

    /** Which replica leads, as far as this one knows; -1 before it takes part. */
    public int leader() {
        TOMLayer layer = states().layer();
        return layer == null || !isReady() ? -1 : layer.execManager.getCurrentLeader();
    }

    /** Completes when the replica takes part in the order, with its state caught up. */
    public CompletionStage<Void> ready() {
        return ready.minimalCompletionStage();
    }

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
        states().cancel();
        stopLayer();
    }

    private void stopLayer() {
        TOMLayer layer = states().layer();
        if (layer == null) {
            return;
        }
        LibraryWatchdog watching = watchdog;
        if (watching != null) {
            watching.stop();
        }
        layer.shutdown();
    }

    /** Tells this process of executed requests, where the library would send an answer to a client's connection. */
    private static final class LocalReplier implements Replier {
        private final Containment.Executions executions;

        LocalReplier(Containment.Executions executions) {
            this.executions = executions;
        }

        @Override
        public void setReplicaContext(ReplicaContext context) {
            // Answers do not go through the library.
        }

        @Override
        public void manageReply(TOMMessage request, MessageContext context) {
            byte[] command = request.getContent();
            byte[] answer = request.reply.getContent();
            executions.executed(
                    request.getSender(),
                    request.getSession(),
                    request.getSequence(),
                    command == null ? new byte[0] : command,
                    answer == null ? new byte[0] : answer);
        }
    }
}

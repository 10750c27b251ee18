package org.aspas.bftcluster.engine;

import bftsmart.reconfiguration.ServerViewController;
import bftsmart.reconfiguration.views.MemoryBasedViewStorage;
import bftsmart.tom.MessageContext;
import bftsmart.tom.ReplicaContext;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.server.Replier;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
import org.jspecify.annotations.Nullable;

/**
 * A replica of the library with the library's own ports open, and without containment: it is safe from nobody. For
 * experiments that show what the library does alone, and how fast it is.
 */
public final class BareReplica implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_000;
    private static final int RETRY_MILLIS = 20;
    private static final int LOWER_MILLIS = 3_000;
    /** An id that no replica has; the library closes such a connection at once. */
    private static final int NOBODY = -99;

    private final int replica;
    private final List<InetSocketAddress> addresses;
    private final Quorums quorums;
    private final PinnedRsaKeys keys;
    private final ReplicaOptions options;
    private final RecoverableMachine machine;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile boolean closed;

    /** Its parameters are those of {@link ReplicaEngine}; the port after each address is used too. */
    public BareReplica(
            int replica,
            List<InetSocketAddress> addresses,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions options) {
        this.replica = replica;
        this.addresses = List.copyOf(addresses);
        this.quorums = quorums;
        this.keys = new PinnedRsaKeys(replica, own, keys);
        this.options = options;
        this.machine = new RecoverableMachine(machine, quorums, options.checkpointPeriod(), new Uncontained());
    }

    /** Leaves the library as it is. */
    private static final class Uncontained implements StateTransfer.Listener {
        @Override
        public void onMade(TOMLayer made) {}

        @Override
        public void onStarting(TOMLayer made) {}

        @Override
        public void onStale(String reason) {}
    }

    /** Begins to take part, on a thread of its own. */
    public void start() {
        Thread thread = new Thread(this::run, "replica-" + replica);
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        StateTransfer states = machine.states();
        awaitLower(states);
        var configuration = LibraryConfiguration.of(replica, addresses, quorums.b(), options, keys);
        new OrderedReplica(
                new ServerViewController(configuration, new MemoryBasedViewStorage()), machine, new DirectReplier());
        if (closed) {
            stopLayer();
            return;
        }
        ready.complete(null);
        while (!states.awaitCancelled(StateTransfer.STEP_MILLIS)) {
            states.watch();
        }
    }

    /** The library dials lower replicas, and sleeps five seconds after a refusal. */
    private void awaitLower(StateTransfer states) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOWER_MILLIS);
        for (int lower = 0; lower < replica; lower++) {
            InetSocketAddress address = addresses.get(lower);
            while (!connect(address.getHostString(), address.getPort() + 1)) {
                if (System.nanoTime() - deadline >= 0 || states.awaitCancelled(RETRY_MILLIS)) {
                    return;
                }
            }
        }
    }

    private static boolean connect(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
            new DataOutputStream(socket.getOutputStream()).writeInt(NOBODY);
            return true;
        } catch (IOException notListening) {
            return false;
        }
    }

    /** Completes when the replica takes part in the order. */
    public CompletableFuture<Void> ready() {
        return ready;
    }

    @Override
    public void close() {
        closed = true;
        machine.states().cancel();
        stopLayer();
    }

    private void stopLayer() {
        TOMLayer layer = machine.states().layer();
        if (layer != null) {
            layer.shutdown();
            // The library's accepting thread looks whether it should end only when a connection comes or ten seconds
            // pass.
            connect(
                    InetAddress.getLoopbackAddress().getHostAddress(),
                    addresses.get(replica).getPort() + 1);
        }
    }

    /**
     * Sends answers as soon as the replica can send. The library's own replier waits for that on the delivery thread, and
     * can wait for ever when a decision arrives while the replica is being made; an answer that is dropped here is only asked
     * for again.
     */
    private static final class DirectReplier implements Replier {
        private volatile @Nullable ReplicaContext context;

        @Override
        public void setReplicaContext(ReplicaContext replicaContext) {
            context = replicaContext;
        }

        @Override
        public void manageReply(TOMMessage request, MessageContext unused) {
            ReplicaContext known = context;
            if (known != null) {
                known.getServerCommunicationSystem().send(new int[] {request.getSender()}, request.reply);
            }
        }
    }
}

package org.aspas.emulab.rivals.obft;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.emulab.rivals.obft.core.Effect;
import org.aspas.emulab.rivals.obft.core.Event;
import org.aspas.emulab.rivals.obft.core.ObftKeys;
import org.aspas.emulab.rivals.obft.core.ObftReplica;
import org.aspas.emulab.rivals.obft.core.ObftSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of OBFT, reconstructed, on real sockets of this machine. Its core has one thread; frames of replicas and
 * clients queue for it, and who has too many there is read no further. Thread-safe.
 */
final class ObftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ObftServer.class);
    private static final long TICK_MILLIS = 50;
    private static final int MOST_QUEUED = 1024;

    private final ObftReplica replica;
    private final ScheduledExecutorService core;
    private final SynchronisationMeter meter = new SynchronisationMeter(System.nanoTime());
    private final Map<NodeId, AtomicInteger> queued = new TreeMap<>();
    private final NodeLinks links;
    private final ObftDoor door;
    private final InetSocketAddress linkAddress;

    /**
     * Starts a replica, which has not found the others yet.
     *
     * @param delay delays what it sends to the others; null for no delay
     * @throws PortUnavailableException when no port can be had
     */
    ObftServer(ObftSettings settings, ObftKeys keys, @Nullable LinkDelay delay) throws PortUnavailableException {
        this.replica = new ObftReplica(settings, keys);
        this.core = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "obft-" + settings.self());
            thread.setDaemon(true);
            return thread;
        });
        Map<NodeId, PublicKey> peers = new TreeMap<>();
        for (int peer = 0; peer < settings.replicas(); peer++) {
            peers.put(NodeId.appserver(peer), keys.publicKeys().get(peer));
            queued.put(NodeId.appserver(peer), new AtomicInteger());
        }
        this.links = new NodeLinks(
                NodeId.appserver(settings.self()),
                TlsIdentity.of(keys.signingSeed()),
                peers,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                LinkLimits.defaults(),
                new Inbox(),
                delay);
        this.linkAddress = links.start();
        this.door = new ObftDoor(this::received);
        var unused =
                core.scheduleAtFixedRate(() -> step(new Event.Tick()), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    InetSocketAddress linkAddress() {
        return linkAddress;
    }

    InetSocketAddress clientAddress() {
        return door.address();
    }

    /** Begins to dial another replica. */
    void connect(int peer, InetSocketAddress address) {
        links.connect(NodeId.appserver(peer), address);
    }

    boolean isConnected(int peer) {
        return links.isConnected(NodeId.appserver(peer));
    }

    SynchronisationMeter meter() {
        return meter;
    }

    /** What is asked of the core is asked on its thread. */
    interface Question<T> {
        T of(ObftReplica replica);
    }

    /** Asks the core; fails when the replica has ended. */
    <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            core.execute(() -> answer.complete(question.of(replica)));
        } catch (RejectedExecutionException ended) {
            answer.completeExceptionally(ended);
        }
        return answer;
    }

    void synchronise() {
        core.execute(() -> step(new Event.Synchronise()));
    }

    private CompletionStage<?> received(long connection, byte[] frame) {
        return ask(unused -> {
            step(new Event.ClientFrame(connection, frame));
            return true;
        });
    }

    private void step(Event event) {
        boolean done = false;
        try {
            stepped(event);
            done = true;
        } finally {
            if (!done) {
                LOG.error(
                        "{} has a bug: it cannot handle a {}",
                        linkAddress,
                        event.getClass().getSimpleName());
            }
        }
    }

    private void stepped(Event event) {
        long begun = System.nanoTime();
        for (Effect effect : replica.step(event)) {
            if (effect instanceof Effect.ToReplica to) {
                // What is lost here is sent again when the other replica says that it lacks it.
                links.send(NodeId.appserver(to.replica()), to.frame());
            } else if (effect instanceof Effect.ToClient to) {
                door.send(to.connection(), to.frame());
            } else if (effect instanceof Effect.Entered entered) {
                meter.entered(entered.phase(), System.nanoTime());
            } else if (effect instanceof Effect.Synchronised over) {
                meter.ended(over);
            }
        }
        meter.worked(System.nanoTime() - begun);
    }

    /** Hands over what the links bring, on their I/O threads. */
    private final class Inbox implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            // A replica says what it has from time to time, connected or not.
        }

        @Override
        public void onDisconnected(NodeId peer) {
            // As above.
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            AtomicInteger waiting = queued.get(peer);
            if (waiting == null) {
                return;
            }
            if (waiting.incrementAndGet() == MOST_QUEUED) {
                links.pause(peer);
            }
            var unused = ask(replica -> {
                step(new Event.ReplicaFrame(peer.index(), frame));
                if (waiting.decrementAndGet() == MOST_QUEUED / 2) {
                    links.resume(peer);
                }
                return true;
            });
        }
    }

    @Override
    public void close() {
        core.shutdownNow();
        links.close();
        door.close();
    }
}

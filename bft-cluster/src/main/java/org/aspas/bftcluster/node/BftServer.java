package org.aspas.bftcluster.node;

import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.shield.ShieldCounters;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.TlsIdentity;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;

/**
 * One bftserver (paper §3.5): links to the appservers, the replicated certification machine, the notary that signs, and
 * the timer behind this replica's votes for ordered time. Thread-safe.
 */
public final class BftServer implements AutoCloseable {
    private static final long REPEAT_MILLIS = 1000;

    private final NodeId self;
    private final Descriptor descriptor;
    private final BftServerOptions options;
    private final ScheduledExecutorService notaryThread;
    private final ScheduledExecutorService timer;
    private final Gateway gateway;
    private final Notary notary;
    private final ReplicaDriver driver;
    private final NodeLinks links;
    private final OrderingEngine engine;

    private BftServer(Descriptor descriptor, int index, SigningKey key, KeyPair orderingKey, BftServerOptions options) {
        this.self = NodeId.bftserver(index);
        this.descriptor = descriptor;
        this.options = options;
        this.notaryThread = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "notary-" + index));
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "ordered-time-" + index));
        Sealer sealer = new Sealer(key, descriptor.id());
        Ordering ordering = this::submit;
        this.gateway = new Gateway(descriptor, index, ordering, timer);
        this.notary = new Notary(index, sealer, ordering, this::toAppservers);
        this.driver = new ReplicaDriver(index, machine(descriptor), sealer, ordering, gateway, notary, this::onNotary);
        this.links = links(key);
        this.engine = new OrderingEngine(
                descriptor, index, orderingKey, driver, (to, frame) -> links.send(NodeId.bftserver(to), frame));
    }

    /**
     * Starts a bftserver; it takes part as soon as enough others do.
     *
     * @param descriptor the deployment
     * @param index which bftserver this is
     * @param key its identity key
     * @param orderingKey its RSA key for BFT-SMaRt
     * @param options what the process sets for itself
     * @throws PortUnavailableException when a port is in use
     */
    public static BftServer start(
            Descriptor descriptor, int index, SigningKey key, KeyPair orderingKey, BftServerOptions options)
            throws PortUnavailableException {
        BftServer server = new BftServer(descriptor, index, key, orderingKey, options);
        try {
            server.begin();
        } catch (PortUnavailableException taken) {
            server.close();
            throw taken;
        }
        return server;
    }

    private void begin() throws PortUnavailableException {
        engine.start();
        links.start();
        for (NodeDescription appserver : descriptor.nodes(Role.APPSERVER)) {
            links.connect(appserver.id(), options.linkAddress(appserver));
        }
        for (NodeDescription other : descriptor.nodes(Role.BFTSERVER)) {
            if (!other.id().equals(self)) {
                links.connect(other.id(), options.linkAddress(other));
            }
        }
        TickPace pace = new TickPace(
                self.index(), descriptor.quorums(), descriptor.limits().tickMillis());
        timer.scheduleWithFixedDelay(() -> vote(pace), pace.pollMillis(), pace.pollMillis(), TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(driver::repeat, REPEAT_MILLIS, REPEAT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void vote(TickPace pace) {
        if (engine.isReady()) {
            driver.voteForTick(pace);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static CertificationMachine machine(Descriptor descriptor) {
        Limits limits = descriptor.limits();
        return new CertificationMachine(
                new Membership(
                        descriptor.quorums(),
                        descriptor.keys(Role.APPSERVER),
                        descriptor.keys(Role.BFTSERVER),
                        descriptor.verifier()),
                new MachineSettings(limits.epochTicks(), limits.roundTicks()));
    }

    private NodeLinks links(SigningKey key) {
        Map<NodeId, PublicKey> peers =
                descriptor.nodes().stream().collect(Collectors.toMap(NodeDescription::id, NodeDescription::key));
        InetSocketAddress listen = new InetSocketAddress(
                options.bindHost(), options.linkAddress(descriptor.node(self)).getPort());
        return new NodeLinks(
                self, TlsIdentity.of(key.seed()), peers, listen, linkLimits(descriptor.limits()), new LinkListener() {
                    @Override
                    public void onConnected(NodeId peer) {
                        if (peer.role() == Role.BFTSERVER) {
                            engine.onConnected(peer.index());
                        } else {
                            onNotary(() -> notary.greet(frame -> links.send(peer, frame)));
                        }
                    }

                    @Override
                    public void onDisconnected(NodeId peer) {
                        // The link dials again by itself, and the greeting repeats what was missed.
                    }

                    @Override
                    public void onFrame(NodeId peer, byte[] frame) {
                        if (peer.role() == Role.BFTSERVER) {
                            engine.receive(peer.index(), frame);
                        } else {
                            gateway.receive(peer, frame);
                        }
                    }
                });
    }

    private static LinkLimits linkLimits(Limits shared) {
        LinkLimits usual = LinkLimits.defaults();
        int frame = OrderingEngine.linkFrameBytes(shared);
        return new LinkLimits(
                frame,
                Math.max(usual.maxQueuedBytes(), 2L * frame),
                usual.maxAcceptedConnections(),
                usual.handshakeTimeoutMillis(),
                usual.minRetryMillis(),
                usual.maxRetryMillis(),
                usual.idleMillis());
    }

    private void onNotary(Runnable task) {
        try {
            notaryThread.execute(task);
        } catch (RejectedExecutionException closing) {
            // Only after close(): what is not signed now is signed by the replicas that go on.
        }
    }

    private void submit(byte[] command) {
        engine.submit(command);
    }

    private void toAppservers(byte[] frame) {
        for (NodeDescription appserver : descriptor.nodes(Role.APPSERVER)) {
            links.send(appserver.id(), frame);
        }
    }

    /** Whether the replica takes part in the ordering. */
    public boolean isReady() {
        return engine.isReady();
    }

    /** The number of the newest accepted certificate content at this replica; 0 before the first. */
    public long certificate() {
        return driver.certificate();
    }

    /** The current step of ordered time at this replica. */
    public long tick() {
        return driver.tick();
    }

    /** How many frames of nodes the gateway refused. */
    public long refusedFrames() {
        return gateway.refused();
    }

    /** What the shield between this replica and the others has done. */
    public ShieldCounters shieldCounters() {
        return engine.counters();
    }

    /** Completes with the reason when the replica cannot go on: this bftserver must be closed and started anew. */
    public CompletionStage<String> failure() {
        return engine.failure();
    }

    /** Stops the timer, the replica and the links. */
    @Override
    public void close() {
        timer.shutdownNow();
        engine.close();
        links.close();
        notaryThread.shutdownNow();
    }
}

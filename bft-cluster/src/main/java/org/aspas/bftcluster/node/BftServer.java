package org.aspas.bftcluster.node;

import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.SecureRandom;
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
import org.aspas.bftcluster.shield.ShieldOptions;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
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
import org.aspas.certify.notary.Lessons;
import org.aspas.certify.notary.MemoryRecord;
import org.aspas.certify.notary.Notary;
import org.aspas.certify.notary.NotaryRecord;
import org.aspas.certify.order.Ordering;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bftserver (paper §3.5): links to the appservers, the replicated certification machine, the notary that signs, and
 * the timer behind this replica's votes for ordered time. Thread-safe.
 */
public final class BftServer implements AutoCloseable {
    private static final long REPEAT_MILLIS = 1000;
    private static final long CLOSE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(BftServer.class);

    private final NodeId self;
    private final Descriptor descriptor;
    private final BftServerOptions options;
    private final ScheduledExecutorService notaryThread;
    private final ScheduledExecutorService timer;
    private final Gateway gateway;
    private final NotaryRecord record;
    private final Notary notary;
    private final ReplicaDriver driver;
    private final NodeLinks links;
    private final OrderingEngine engine;
    private final Guard guard;
    private volatile boolean recordFailed;
    private volatile boolean closed;
    private volatile boolean joined;

    private BftServer(
            Descriptor descriptor,
            int index,
            SigningKey key,
            KeyPair orderingKey,
            BftServerOptions options,
            NotaryRecord record) {
        this.record = record;
        this.self = NodeId.bftserver(index);
        this.descriptor = descriptor;
        this.options = options;
        this.guard = new Guard(self);
        this.notaryThread = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "notary-" + index));
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "ordered-time-" + index));
        Sealer sealer = new Sealer(key, descriptor.id());
        Ordering ordering = this::submit;
        Membership members = membership(descriptor);
        ShieldOptions bounds = OrderingEngine.bounds(descriptor);
        this.gateway = new Gateway(
                members,
                index,
                bounds.maxCommandBytes(),
                bounds.relayedBytes(members.bftservers().size()),
                this::relay,
                System::nanoTime);
        this.notary = new Notary(
                index,
                sealer,
                members.proofs(),
                new Lessons(descriptor.quorums()),
                record,
                fresh(),
                ordering,
                this::toAppservers);
        this.driver = new ReplicaDriver(
                index, machine(members, descriptor.limits()), sealer, ordering, gateway, notary, this::onNotary);
        this.links = links(key);
        this.engine = new OrderingEngine(
                descriptor, index, orderingKey, driver, (to, frame) -> links.send(NodeId.bftserver(to), frame));
        engine.failure().thenAccept(guard::fail);
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
     * @throws RecordUnusableException when the options name a data directory whose record cannot be used
     */
    public static BftServer start(
            Descriptor descriptor, int index, SigningKey key, KeyPair orderingKey, BftServerOptions options)
            throws PortUnavailableException, RecordUnusableException {
        NotaryRecord record = options.data().isPresent()
                ? FileRecord.open(options.data().get(), descriptor.id(), index)
                : new MemoryRecord();
        if (options.data().isEmpty()) {
            LOG.info(
                    "bftserver-{} keeps its record in memory: after a restart it signs nothing until 2b+1 others have "
                            + "taught it, and nobody can when all stop at once",
                    index);
        }
        LOG.info(
                "bftserver-{} signs and verifies by {}",
                index,
                Ed25519Choice.ofThisProcess().description());
        BftServer server = new BftServer(descriptor, index, key, orderingKey, options, record);
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
        repeatedly(() -> vote(pace), pace.pollMillis());
        repeatedly(gateway::sweep, Gateway.SWEEP_MILLIS);
        repeatedly(this::repeat, REPEAT_MILLIS);
    }

    private void repeatedly(Runnable task, long millis) {
        timer.scheduleWithFixedDelay(() -> guard.run(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    private void vote(TickPace pace) {
        if (!engine.isReady()) {
            return;
        }
        if (!joined) {
            joined = true;
            driver.repeat();
        }
        driver.voteForTick(pace);
    }

    private void repeat() {
        if (engine.isReady()) {
            driver.repeat();
        }
    }

    private static Hash fresh() {
        byte[] bytes = new byte[Hash.LENGTH];
        new SecureRandom().nextBytes(bytes);
        return Hash.of(bytes);
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private static Membership membership(Descriptor descriptor) {
        return new Membership(
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                descriptor.keys(Role.BFTSERVER),
                descriptor::admits,
                descriptor.verifier());
    }

    private static CertificationMachine machine(Membership members, Limits limits) {
        return new CertificationMachine(members, new MachineSettings(limits.epochTicks(), limits.roundTicks()));
    }

    private NodeLinks links(SigningKey key) {
        Map<NodeId, PublicKey> peers =
                descriptor.nodes().stream().collect(Collectors.toMap(NodeDescription::id, NodeDescription::key));
        InetSocketAddress listen = new InetSocketAddress(
                options.bindHost(), options.linkAddress(descriptor.node(self)).getPort());
        return new NodeLinks(
                self, TlsIdentity.of(key.seed()), peers, listen, linkLimits(descriptor), new LinkListener() {
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
                        if (peer.role() == Role.BFTSERVER) {
                            engine.onDisconnected(peer.index());
                        }
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

    private static LinkLimits linkLimits(Descriptor descriptor) {
        LinkLimits usual = LinkLimits.defaults();
        int frame = OrderingEngine.linkFrameBytes(descriptor);
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
            notaryThread.execute(() -> guard.run(() -> recording(task)));
        } catch (RejectedExecutionException closing) {
            // Only after close(): what is not signed now is signed by the replicas that go on.
        }
    }

    /** A record that can no longer be written refuses all that follows, so that nothing leaves that is not durable. */
    private void recording(Runnable task) {
        if (closed) {
            return;
        }
        try {
            task.run();
        } catch (UncheckedIOException failed) {
            if (!recordFailed) {
                LOG.error("{} signs nothing any more: its record failed", self, failed);
            }
            recordFailed = true;
        }
    }

    private void submit(byte[] command) {
        if (canBeOrdered()) {
            engine.submit(command);
        }
    }

    private void relay(byte[] command) {
        if (canBeOrdered()) {
            engine.relay(command);
        }
    }

    /** What cannot be ordered now would only fill memory, here and at the others: whoever wants it ordered repeats it. */
    private boolean canBeOrdered() {
        long linked = descriptor.nodes(Role.BFTSERVER).stream()
                .filter(other -> links.isConnected(other.id()))
                .count();
        return linked >= descriptor.quorums().bftserverQuorum() - 1;
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

    /** The index of the bftserver whose replica leads the order, as far as this one knows; -1 before it takes part. */
    public int leader() {
        return engine.leader();
    }

    /** Whether the replica has its durable record and can write it: without, it accepts and signs nothing. */
    public boolean signs() {
        return driver.knowing() && !recordFailed;
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

    /** How long a frame between two bftservers of a deployment may be, in bytes. */
    public static int linkFrameBytes(Descriptor descriptor) {
        return OrderingEngine.linkFrameBytes(descriptor);
    }

    /** What the shield between this replica and the others has done. */
    public ShieldCounters shieldCounters() {
        return engine.counters();
    }

    /** Completes with the reason when the replica cannot go on: this bftserver must be closed and started anew. */
    public CompletionStage<String> failure() {
        return guard.failure();
    }

    /** Stops the timer, the replica and the links. */
    @Override
    public void close() {
        guard.end();
        timer.shutdownNow();
        engine.close();
        links.close();
        closeRecord();
    }

    /** On the notary's thread, after what it is doing. */
    private void closeRecord() {
        closed = true;
        try {
            notaryThread.execute(record::close);
        } catch (RejectedExecutionException closed) {
            return;
        }
        notaryThread.shutdown();
        try {
            if (!notaryThread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("{} is slow to close its record", self);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

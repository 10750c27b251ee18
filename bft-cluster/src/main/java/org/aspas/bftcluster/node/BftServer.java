package org.aspas.bftcluster.node;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.aspas.bftcluster.isolation.IsolationOptions;
import org.aspas.bftcluster.link.LinkCounters;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.telemetry.NodeTracing;
import org.aspas.bftcluster.telemetry.TracingCounts;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.journal.TailCut;
import org.aspas.certify.lag.StepDurations;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One bftserver (paper §3.5): its core, the links to all servers, the ordering engine and the record. Thread-safe. */
public final class BftServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BftServer.class);

    private final NodeId self;
    private final Descriptor descriptor;
    private final BftServerOptions options;
    private final ThreadSupervisor supervisor;
    private final CoreRunner runner;
    private final NodeLinks links;
    private final OrderingEngine engine;
    private final long tailCutBytes;
    private final SignatureCounts signatures;
    private final @Nullable NodeTracing tracing;

    private BftServer(
            Descriptor descriptor,
            int index,
            SigningKey key,
            KeyPair orderingKey,
            BftServerOptions options,
            Optional<DurableRecord> record,
            SignatureCounts signatures) {
        this.signatures = signatures;
        this.self = NodeId.bftserver(index);
        this.descriptor = descriptor;
        this.options = options;
        this.supervisor = new ThreadSupervisor(self);
        this.tracing = options.tracing() == null ? null : NodeTracing.start(options.tracing(), self, descriptor.id());
        IsolationOptions bounds = OrderingEngine.bounds(descriptor);
        long relayed = bounds.relayedBytes(descriptor.quorums().bftservers());
        ReplicaSettings settings = ReplicaSettings.of(descriptor, index, key, bounds.maxCommandBytes(), relayed);
        this.runner = new CoreRunner(
                settings,
                fresh(),
                record,
                options.firstStart(),
                supervisor,
                new Outlet(),
                tracing == null ? null : new CertificateSpans(tracing));
        this.links = options.links(descriptor, self, key, new Listener());
        this.engine = new OrderingEngine(
                descriptor, index, orderingKey, runner, links, new CommandBatcher(descriptor.quorums()), runner::heard);
        this.tailCutBytes = record.map(own -> own.tailCut().bytes()).orElse(0L);
        engine.failure().thenAccept(supervisor::fail);
    }

    /**
     * Starts a bftserver; it takes part as soon as enough others do.
     *
     * @param orderingKey its RSA key for BFT-SMaRt
     * @throws PortUnavailableException when a port is in use
     * @throws RecordUnusableException when the options name a data directory whose record cannot be used; its cause says
     *     why, such as a {@link org.aspas.certify.journal.JournalDamagedException}
     */
    public static BftServer start(
            Descriptor descriptor, int index, SigningKey key, KeyPair orderingKey, BftServerOptions options)
            throws PortUnavailableException, RecordUnusableException {
        Optional<DurableRecord> record = Optional.empty();
        if (options.data().isPresent()) {
            record = Optional.of(recorded(options.data().get(), descriptor, index));
        } else {
            LOG.info(
                    "bftserver-{} keeps its record in memory: after a restart it signs nothing until 2b+1 others have "
                            + "taught it, and nobody can when all stop at once",
                    index);
        }
        String library = Ed25519Choice.ofThisProcess().description();
        LOG.info("bftserver-{} signs and verifies by {}", index, library);
        SignatureCounts counts = new SignatureCounts();
        BftServer server = new BftServer(
                descriptor.metered(counts), index, key.metered(counts), orderingKey, options, record, counts);
        try {
            server.begin();
        } catch (PortUnavailableException taken) {
            server.close();
            throw taken;
        }
        return server;
    }

    private static DurableRecord recorded(Path data, Descriptor descriptor, int index) throws RecordUnusableException {
        DurableRecord record = DurableRecord.open(data, descriptor.id(), index);
        TailCut cut = record.tailCut();
        if (cut.bytes() > 0) {
            LOG.warn(
                    "bftserver-{}: tail cut of {} bytes: a write was not finished, and nobody was told of it: {}, byte"
                            + " {}",
                    index,
                    cut.bytes(),
                    cut.file(),
                    cut.offset());
        }
        if (!record.state().knowing()) {
            LOG.warn(
                    "bftserver-{}: the record in {} is not complete, for the one that was made with the deployment is"
                            + " lost: it signs nothing until 2b+1 others have taught it",
                    index,
                    data);
        }
        return record;
    }

    private static Hash fresh() {
        byte[] bytes = new byte[Hash.LENGTH];
        new SecureRandom().nextBytes(bytes);
        return Hash.of(bytes);
    }

    private void begin() throws PortUnavailableException {
        engine.start();
        links.start();
        for (NodeDescription other : descriptor.nodes()) {
            if (!other.id().equals(self)) {
                links.connect(other.id(), options.linkAddress(other));
            }
        }
        runner.start(engine::isReady, engine::leads);
    }

    /** What the links tell: frames of bftservers are the engine's, those of appservers the core's. */
    private final class Listener implements LinkListener {
        @Override
        public void onConnected(NodeId peer) {
            if (peer.role() == Role.BFTSERVER) {
                engine.onConnected(peer.index());
            } else {
                runner.happened(new Event.Connected(peer));
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
                runner.received(peer, frame);
            }
        }
    }

    private final class Outlet implements CoreRunner.Outlet {
        @Override
        public void submit(byte[] command) {
            engine.submit(command);
        }

        @Override
        public void relay(byte[] command) {
            engine.relay(command);
        }

        @Override
        public void send(NodeId appserver, byte[] frame) {
            links.send(appserver, frame);
        }
    }

    public boolean isReady() {
        return engine.isReady();
    }

    /** The index of the bftserver whose replica leads the order, as far as this one knows; -1 before it takes part. */
    public int leader() {
        return engine.leader();
    }

    /** Whether the replica has its durable record and can write it: without, it accepts and signs nothing. */
    public boolean signs() {
        return runner.signs();
    }

    /** How many bytes of an unfinished write the start cut off the record; nobody was told of them. */
    public long tailCutBytes() {
        return tailCutBytes;
    }

    /** The number of the newest accepted certificate content at this replica; 0 before the first. */
    public CertificateNumber certificate() {
        return runner.certificate();
    }

    /** How long the steps between the bftservers take, as this one sees them. */
    public StepDurations lag() {
        return runner.lag();
    }

    /** The current step of ordered time at this replica. */
    public long tick() {
        return runner.orderedTime();
    }

    public boolean isConnected(NodeId node) {
        return links.isConnected(node);
    }

    public LinkCounters linkCounters() {
        return links.counters();
    }

    /** The public-key operations since the start. */
    public SignatureCounts.Reading signatures() {
        return signatures.read();
    }

    public TracingCounts traces() {
        return tracing == null ? TracingCounts.NONE : tracing.counts();
    }

    /** How long a frame between two bftservers of a deployment may be, in bytes. */
    public static int linkFrameBytes(Descriptor descriptor) {
        return OrderingEngine.linkFrameBytes(descriptor);
    }

    /** Completes with the reason when the replica cannot go on: this bftserver must be closed and started anew. */
    public CompletionStage<String> failure() {
        return supervisor.failure();
    }

    @Override
    public void close() {
        supervisor.end();
        runner.stop();
        engine.close();
        links.close();
        runner.close();
        if (tracing != null) {
            tracing.close();
        }
    }
}

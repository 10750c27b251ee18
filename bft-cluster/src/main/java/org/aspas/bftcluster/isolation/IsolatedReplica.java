package org.aspas.bftcluster.isolation;

import java.security.KeyPair;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.engine.Containment;
import org.aspas.bftcluster.engine.ReplicaEngine;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.FrameVerdict;
import org.aspas.bftcluster.frame.PeerAllowance;
import org.aspas.bftcluster.frame.RefusalReason;
import org.aspas.bftcluster.frame.ReplicaGroup;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.machine.OrderedMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of the ordering cluster, isolated: it listens at no port, hears other replicas only through {@link
 * #receive}, and orders only what this bftserver and its peers submit. Made for one start; thread-safe.
 */
public final class IsolatedReplica implements AutoCloseable {
    private static final int HOUSEKEEPING_MILLIS = 100;
    private static final long REPORT_SECONDS = 60;

    private final int self;
    private final IsolationOptions options;
    private final Outlet outlet;
    private final LocalEndpoints endpoints;
    private final ReplicaEngine engine;
    private final IsolationMeter meter;
    private final StartBarrier barrier;
    private final ScheduledExecutorService housekeeping;
    private final RequestInjector injector;
    private final OrderingClient client;
    private final LeaderSuspicion suspicion;
    private final IncomingFrames incoming;
    private final Map<Integer, PeerSession> peers = new TreeMap<>();

    /** Sends to the other bftservers, and tells of their commands. */
    public interface Outlet {
        /** Sends a frame to the isolation layer of a bftserver without waiting; false when it was not taken. */
        boolean send(int bftserver, byte[] frame);

        /** Another bftserver gave a command, its own or somebody's, to be ordered; it may never be. Returns at once. */
        void given(int bftserver, byte[] command);
    }

    /**
     * Makes a replica with what isolates it; nothing happens before {@link #start}.
     *
     * @param keys each replica's RSA public key, by index
     * @param machine driven from the library's delivery thread only
     * @param grouping which commands are better ordered together
     */
    public IsolatedReplica(
            int self,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions replicaOptions,
            IsolationOptions options,
            Grouping grouping,
            Outlet outlet) {
        int replicas = quorums.bftservers();
        long waitingBytes = options.waitingBytes(replicas);
        ReplicaGroup membership = new ReplicaGroup(
                quorums.b(), keys, options.maxFrameBytes(), replicaOptions.maxBatch(), options.maxRequestBytes());
        this.self = self;
        this.options = options;
        this.outlet = outlet;
        this.meter = new IsolationMeter(self);
        this.barrier = new StartBarrier(replicas - 1, quorums.bftserverQuorum() - 1);
        this.housekeeping =
                Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "replica-" + self + "-isolation"));
        this.endpoints = new LocalEndpoints(self, replicas, own, options);
        Containment containment = new Containment(
                endpoints.serverSocket(),
                this::onExecuted,
                new Containment.Bounds(options.maxFrameBytes(), membership.maxRelayed()));
        this.engine = new ReplicaEngine(
                self, endpoints.addresses(), quorums, own, keys, machine, replicaOptions, containment);
        RequestPool pool = new RequestPool(self, replicas, waitingBytes);
        this.client = new OrderingClient(
                self, options.maxPending(), waitingBytes, options.timeoutMillis(), this::giveRequest);
        this.injector =
                new RequestInjector(self, engine, pool, barrier, meter, grouping, client::usualNanos, housekeeping);
        this.suspicion = new LeaderSuspicion(self, quorums.oneCorrectBftserver(), waitingBytes, injector, this::tell);
        FrameCheck check = new FrameCheck(membership);
        HeldVotes<PeerSession> votes = new HeldVotes<>();
        this.incoming = new IncomingFrames(check, votes, engine, suspicion, client, meter);
        OutgoingFrames outgoing = new OutgoingFrames(check, votes, engine, suspicion, outlet, meter);
        for (int peer = 0; peer < replicas; peer++) {
            if (peer != self) {
                peers.put(peer, new PeerSession(peer, membership, endpoints, outgoing, meter));
            }
        }
    }

    static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private boolean giveRequest(int bftserver, byte[] request) {
        return bftserver == self
                ? injector.own(request)
                : outlet.send(bftserver, Envelope.seal(Envelope.Kind.REQUEST, request));
    }

    private void tell(WaitingRequest request) {
        byte[] told = Envelope.seal(Envelope.Kind.WAITS, request.encode());
        peers.keySet().forEach(peer -> outlet.send(peer, told));
    }

    private void onExecuted(int clientId, int session, int sequence, byte[] command, byte[] answer) {
        RequestId id = new RequestId(clientId, session, sequence);
        injector.executed(id);
        suspicion.executed(id);
        if (RequestCheck.owner(clientId) == self) {
            client.executed(id, command, answer);
        }
    }

    /**
     * Begins to take part.
     *
     * @throws PortUnavailableException when another program has taken a port that was free a moment ago
     */
    public void start() throws PortUnavailableException {
        engine.start();
        engine.ready().thenRun(() -> {
            injector.onReady();
            barrier.selfReady();
            peers.keySet().forEach(this::sendHandshake);
        });
        housekeeping.scheduleWithFixedDelay(
                this::keepHouse, HOUSEKEEPING_MILLIS, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
        housekeeping.scheduleWithFixedDelay(meter::report, REPORT_SECONDS, REPORT_SECONDS, TimeUnit.SECONDS);
    }

    private void keepHouse() {
        long now = System.nanoTime();
        client.expire(now);
        suspicion.look(now);
        peers.values().forEach(peer -> peer.deliverProposals(engine.leader()));
        injector.expire(now);
    }

    public void onConnected(int peer) {
        barrier.linked(peer);
        client.linked(peer);
        sendHandshake(peer);
    }

    public void onDisconnected(int peer) {
        barrier.unlinked(peer);
        client.unlinked(peer);
    }

    private void sendHandshake(int peer) {
        client.renew();
        outlet.send(peer, Envelope.seal(Envelope.Kind.HANDSHAKE, endpoints.ownHandshake()));
        if (engine.isReady()) {
            outlet.send(peer, Envelope.seal(Envelope.Kind.READY, new byte[0]));
        }
    }

    /**
     * Takes what the isolation layer of another bftserver sent.
     *
     * @param peer who sent it, by its TLS key
     * @param frame at least one byte
     */
    public void receive(int peer, byte[] frame) {
        PeerSession from = peers.get(peer);
        Envelope envelope = Envelope.open(frame).orElse(null);
        if (from == null || envelope == null) {
            meter.refuse(RefusalReason.NOT_A_MESSAGE);
            return;
        }
        byte[] content = envelope.content();
        switch (envelope.kind()) {
            case HANDSHAKE -> {
                if (from.onHandshake(content)) {
                    client.renew();
                }
            }
            case FRAME -> incoming.receive(from, content);
            case REQUEST ->
                RequestCheck.check(peer, content, options.maxRequestBytes())
                        .ifPresentOrElse(id -> given(peer, id, content), meter.requestsRefused::increment);
            case READY -> barrier.ready(peer);
            case WAITS ->
                WaitingRequest.decode(content)
                        .ifPresentOrElse(
                                name -> suspicion.said(peer, name), () -> meter.refuse(RefusalReason.NOT_A_MESSAGE));
        }
    }

    private void given(int peer, RequestId id, byte[] request) {
        if (injector.given(peer, id, request)) {
            outlet.given(peer, RequestCheck.command(request));
        }
    }

    /**
     * Submits a command to be ordered. It may be ordered although its stage fails, so every command must be harmless when
     * it is ordered twice.
     *
     * @param command at most {@link IsolationOptions#maxCommandBytes()} bytes; must not be changed afterwards
     * @return the own replica's answer; fails with {@code OrderingUnavailable}. Dependent stages must not block
     * @throws IllegalArgumentException when the command is too large
     */
    public CompletionStage<byte[]> submit(byte[] command) {
        options.checkCommand(command);
        return client.submit(command);
    }

    /**
     * Submits a command that somebody else gave to this bftserver, as {@link #submit} does, but only while such commands
     * take no more than half the room: the other half is for what the bftserver says itself.
     */
    public CompletionStage<byte[]> relay(byte[] command) {
        options.checkCommand(command);
        return client.relay(command);
    }

    public boolean isReady() {
        return engine.isReady();
    }

    /** Which replica leads, as far as this one knows; -1 before it takes part. */
    public int leader() {
        return engine.leader();
    }

    /** Whether this replica leads, as far as it knows. */
    public boolean leads() {
        return engine.leader() == self;
    }

    int regency() {
        return engine.regency();
    }

    /** The last instance that the replica executed. */
    int instance() {
        return engine.instance();
    }

    /** Completes when the replica takes part in the order, with its state caught up. */
    public CompletionStage<Void> ready() {
        return engine.ready();
    }

    /** Completes with the reason when a thread of the library has died: the replica must be made anew. */
    public CompletionStage<String> failure() {
        return engine.failure();
    }

    public IsolationCounters counters() {
        return meter.read();
    }

    @Override
    public void close() {
        housekeeping.shutdownNow();
        client.close();
        // First the connections: then nothing in the library waits for a peer any more.
        peers.values().forEach(PeerSession::close);
        engine.close();
        injector.close();
        endpoints.close();
    }

    /**
     * Decides what becomes of a frame that a peer sends to the local library: it is refused, it waits, or the library gets
     * it. A request that a peer passes on goes to {@link LeaderSuspicion} instead. Thread-safe.
     */
    private static final class IncomingFrames {
        private static final Logger LOG = LoggerFactory.getLogger(IncomingFrames.class);

        private final FrameCheck check;
        private final HeldVotes<PeerSession> votes;
        private final ReplicaEngine engine;
        private final LeaderSuspicion suspicion;
        private final OrderingClient client;
        private final IsolationMeter meter;

        IncomingFrames(
                FrameCheck check,
                HeldVotes<PeerSession> votes,
                ReplicaEngine engine,
                LeaderSuspicion suspicion,
                OrderingClient client,
                IsolationMeter meter) {
            this.check = check;
            this.votes = votes;
            this.engine = engine;
            this.suspicion = suspicion;
            this.client = client;
            this.meter = meter;
        }

        void receive(PeerSession from, byte[] frame) {
            FrameVerdict judgement = check.judge(from.peer(), frame);
            if (judgement instanceof FrameVerdict.Accepted accepted) {
                accepted(from, accepted, frame);
            } else if (judgement instanceof FrameVerdict.Refused refused) {
                meter.refuse(refused.reason());
                LOG.debug(
                        "a frame of bftserver {} is refused: {} ({})", from.peer(), refused.reason(), refused.detail());
            }
        }

        private void accepted(PeerSession from, FrameVerdict.Accepted accepted, byte[] frame) {
            if (accepted.kind() == FrameVerdict.Kind.STOP) {
                client.fill(System.nanoTime());
            }
            PeerAllowance.Position here = new PeerAllowance.Position(engine.instance(), engine.regency());
            switch (from.allow(accepted, here, System.nanoTime())) {
                case ADMITTED -> admitted(from, accepted, frame);
                case REPEATED -> LOG.debug("bftserver {} repeats a message", from.peer());
                case REFUSED -> meter.refuse(RefusalReason.ALLOWANCE);
            }
        }

        private void admitted(PeerSession from, FrameVerdict.Accepted accepted, byte[] frame) {
            if (accepted.request() != null) {
                suspicion.passedOn(from.peer(), accepted.request());
            } else if (accepted.kind() == FrameVerdict.Kind.PROPOSE) {
                proposed(from, frame);
            } else if (accepted.vote() != null && accepted.vote().second()) {
                switch (votes.second(from, accepted.vote(), frame, engine.instance())) {
                    case PASS -> from.deliver(frame);
                    case HELD -> LOG.trace("a vote of bftserver {} waits", from.peer());
                    case DROPPED -> meter.refuse(RefusalReason.ALLOWANCE);
                }
            } else {
                from.deliver(frame);
            }
        }

        private void proposed(PeerSession from, byte[] frame) {
            from.deliverProposals(engine.leader());
            switch (from.propose(frame, engine.leader())) {
                case PASS -> from.deliver(frame);
                case HELD, LATE -> LOG.debug("a proposal of bftserver {}, which does not lead", from.peer());
                case REFUSED -> meter.refuse(RefusalReason.ALLOWANCE);
            }
        }
    }
}

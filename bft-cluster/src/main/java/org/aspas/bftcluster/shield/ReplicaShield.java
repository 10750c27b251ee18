package org.aspas.bftcluster.shield;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.KeyPair;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.bftcluster.frame.FrameCheck;
import org.aspas.bftcluster.frame.Membership;
import org.aspas.bftcluster.frame.Refusal;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.bftcluster.frame.Vote;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.replica.Door;
import org.aspas.bftcluster.replica.Enclosure;
import org.aspas.bftcluster.replica.LibraryConfiguration;
import org.aspas.bftcluster.replica.ReplicaEngine;
import org.aspas.bftcluster.replica.ReplicaOptions;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.quorum.Quorums;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica of the ordering cluster behind its shield: it listens at no port, hears other replicas only through {@link
 * #receive}, and orders only what this bftserver and its peers submit. Made for one start; thread-safe.
 */
public final class ReplicaShield implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaShield.class);
    private static final int HOUSEKEEPING_MILLIS = 100;
    private static final long FILLER_NANOS = 200_000_000L;
    private static final byte[] FILLER = {0};
    /** A first vote is shorter; what is longer need not be looked at. */
    private static final int MOST_FIRST_VOTE_BYTES = 1024;
    /** Twice this long a request waits for a leader that is absent from the beginning. */
    private static final long ABSENT_LEADER_MILLIS = 500;
    /** Of the time after which the own replica would doubt its leader, others have so much to say what they have. */
    private static final double PATIENCE = 0.8;
    /** What was executed within this time is not ordered again because others still wait for it. */
    private static final long LATELY_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MOST_LATELY = 20_000;
    private static final long REPORT_SECONDS = 60;

    private final int self;
    private final int replicas;
    private final ShieldOptions options;
    private final Outlet outlet;
    private final byte[] ownGreeting;
    private final Door door;
    private final ReplicaEngine engine;
    private final Map<Integer, PeerSide> peers = new HashMap<>();
    private final Map<Integer, PeerRequests> requests = new HashMap<>();
    private final ShieldMeter meter = new ShieldMeter();
    private final HeldVotes votes = new HeldVotes();
    private final FrameCheck check;
    private final AtomicLong lastFiller = new AtomicLong(System.nanoTime() - 2 * FILLER_NANOS);
    private final RequestDesk desk;
    private final Doubts doubts;
    private final Map<RequestId, Long> lately = new OldestGoFirst<>(MOST_LATELY);
    /** The last short frame of the library: it sends one to each peer, equal but for the code. */
    private volatile byte[] lastOut = new byte[0];

    private volatile long reported;
    private final ThreadPoolExecutor injecting;
    private final OrderingGate gate;
    private final ScheduledExecutorService housekeeping;
    /** Used on the injecting thread only. */
    private boolean begun;
    /** Whether the replica began with a state that others had already. */
    private volatile boolean joined;

    /** Sends to the other bftservers. */
    @FunctionalInterface
    public interface Outlet {
        /** Sends a frame to the shield of a bftserver without waiting; false when it was not taken. */
        boolean send(int bftserver, byte[] frame);
    }

    /**
     * Makes a replica with its shield; nothing happens before {@link #start}.
     *
     * @param self this bftserver's index
     * @param quorums n is its number of bftservers
     * @param own this replica's RSA key pair
     * @param keys each replica's RSA public key, by index
     * @param machine driven from the library's delivery thread only
     * @param replicaOptions timing of the library
     * @param options bounds
     * @param outlet the links to the other bftservers
     */
    public ReplicaShield(
            int self,
            Quorums quorums,
            KeyPair own,
            List<PublicKey> keys,
            OrderedMachine machine,
            ReplicaOptions replicaOptions,
            ShieldOptions options,
            Outlet outlet) {
        this.self = self;
        this.replicas = quorums.bftservers();
        this.options = options;
        this.outlet = outlet;
        this.door = newDoor();
        BigInteger prime = LibraryConfiguration.groupPrime();
        this.ownGreeting = Greeting.of(own, prime, LibraryConfiguration.groupGenerator());
        List<Integer> ports = LoopbackPorts.pairs(replicas);
        List<InetSocketAddress> addresses = new ArrayList<>();
        ports.forEach(port -> addresses.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        Membership membership = new Membership(
                quorums.b(),
                keys,
                options.maxFrameBytes(),
                replicaOptions.maxBatch(),
                options.maxCommandBytes() + ShieldOptions.REQUEST_BYTES);
        Enclosure.Bounds bounds = new Enclosure.Bounds(options.maxFrameBytes(), membership.maxRelayed());
        this.engine = new ReplicaEngine(
                self,
                addresses,
                quorums,
                own,
                keys,
                machine,
                replicaOptions,
                new Enclosure(door, this::onExecuted, bounds));
        this.check = new FrameCheck(membership);
        PeerSide.Common common = common();
        for (int peer = 0; peer < replicas; peer++) {
            if (peer != self) {
                LibraryLine line = line(peer, ports.get(peer) + 1);
                peers.put(peer, new PeerSide(peer, keys.get(peer), prime, line, common));
            }
            // What the own desk submits it bounds itself.
            requests.put(peer, new PeerRequests(peer == self ? Long.MAX_VALUE : options.waitingBytes(replicas)));
        }
        this.doubts = new Doubts(self, quorums.oneCorrectBftserver(), options.waitingBytes(replicas), doubted());
        this.desk = new RequestDesk(
                self, options.maxPending(), options.waitingBytes(replicas), options.timeoutMillis(), recipients());
        this.gate = new OrderingGate(replicas - 1, quorums.bftserverQuorum() - 1);
        this.injecting = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>((replicas + 1) * Membership.MOST_WAITING),
                task -> daemon(task, "replica-" + self + "-requests"),
                (task, closed) -> onDiscarded());
        this.housekeeping =
                Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "replica-" + self + "-shield"));
    }

    private static Door newDoor() {
        try {
            return new Door();
        } catch (IOException impossible) {
            throw new UncheckedIOException("a socket that is not bound", impossible);
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private LibraryLine line(int peer, int port) {
        ToPeer toPeer = new ToPeer() {
            @Override
            public void frame(byte[] frame) {
                forward(peer, frame);
            }

            @Override
            public void tooLong(long bytes) {
                meter.framesTooLong.increment();
                LOG.error(
                        "replica {} has a message of {} bytes for replica {}, which no link carries: it is left out",
                        self,
                        bytes,
                        peer);
            }
        };
        int most = options.maxFrameBytes();
        long queued = options.maxQueuedBytes();
        return peer > self
                ? new Doorway(peer, door, ownGreeting, most, queued, toPeer)
                : new Tunnel(self, peer, port, ownGreeting, most, queued, toPeer);
    }

    private PeerSide.Common common() {
        return new PeerSide.Common() {
            @Override
            public int instance() {
                return engine.instance();
            }

            @Override
            public int regency() {
                return engine.regency();
            }

            @Override
            public int leader() {
                return engine.leader();
            }

            @Override
            public int replicas() {
                return replicas;
            }

            @Override
            public int maxFrameBytes() {
                return options.maxFrameBytes();
            }

            @Override
            public FrameCheck check() {
                return check;
            }

            @Override
            public ShieldMeter meter() {
                return meter;
            }

            @Override
            public HeldVotes votes() {
                return votes;
            }

            @Override
            public void onLeaderDoubted() {
                ReplicaShield.this.onLeaderDoubted();
            }

            @Override
            public void onPassedOn(int peer, byte[] request) {
                doubts.passedOn(peer, request);
            }
        };
    }

    private Doubts.Here doubted() {
        return new Doubts.Here() {
            @Override
            public byte @Nullable [] waiting(RequestId id) {
                PeerRequests known = requests.get(RequestCheck.owner(id.client()));
                return known == null ? null : known.waiting(id);
            }

            @Override
            public void order(byte[] request) {
                ReplicaShield.this.order(request);
            }

            @Override
            public void suspend(byte[] request) {
                LOG.info(
                        "replica {} alone has a request of {}, and does not doubt its leader for it",
                        self,
                        owner(request));
                later(() -> engine.suspend(request));
            }

            @Override
            public void resume(byte[] request) {
                later(() -> {
                    // What was forgotten meanwhile nobody orders any more.
                    if (waiting(RequestCheck.id(request)) != null) {
                        engine.watch(request);
                    }
                });
            }

            @Override
            public void tell(WaitingRequest request) {
                byte[] told = Envelope.seal(Envelope.Kind.WAITS, request.encode());
                peers.keySet().forEach(peer -> outlet.send(peer, told));
            }
        };
    }

    private static int owner(byte[] request) {
        return RequestCheck.owner(RequestCheck.id(request).client());
    }

    /** On the thread for what may wait for the library's locks. */
    private void later(Runnable task) {
        try {
            housekeeping.execute(task);
        } catch (RejectedExecutionException closing) {
            LOG.debug("replica {} closes", self);
        }
    }

    /** Has the own replica order what others wait for, unless it has just done so. */
    private void order(byte[] request) {
        RequestId id = RequestCheck.id(request);
        PeerRequests waiting = requests.get(RequestCheck.owner(id.client()));
        long now = System.nanoTime();
        synchronized (lately) {
            Long executed = lately.get(id);
            if (executed != null && now - executed < LATELY_NANOS) {
                return;
            }
        }
        if (waiting != null && waiting.passedOn(id, request, now) == PeerRequests.Fate.TAKEN) {
            inject(request, true);
        }
    }

    /** There was no room: now there is a gap in a session, at least in one of the own desk. */
    private void onDiscarded() {
        if (!injecting.isShutdown()) {
            meter.requestsDiscarded.increment();
            later(desk::renew);
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
            joined = engine.instance() >= 0;
            if (joined) {
                requests.values().forEach(PeerRequests::forget);
            }
            gate.selfReady();
            for (int peer : peers.keySet()) {
                present(peer);
            }
        });
        housekeeping.scheduleWithFixedDelay(
                this::keepHouse, HOUSEKEEPING_MILLIS, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
        housekeeping.scheduleWithFixedDelay(this::report, REPORT_SECONDS, REPORT_SECONDS, TimeUnit.SECONDS);
    }

    private void keepHouse() {
        long now = System.nanoTime();
        desk.expire(now);
        doubts.look(now);
        peers.values().forEach(PeerSide::look);
        requests.values().forEach(waiting -> waiting.expire(now).forEach(engine::forget));
    }

    /** Tells the operator when something was refused, lost or discarded since the last time. */
    private void report() {
        ShieldCounters counters = meter.read();
        long troubles = counters.troubles();
        if (troubles > reported) {
            LOG.warn(
                    "the shield of replica {}: {} new refusals or losses; in all {}",
                    self,
                    troubles - reported,
                    counters);
        }
        reported = troubles;
    }

    /** The link to a bftserver has come up. */
    public void onConnected(int peer) {
        gate.linked(peer);
        desk.linked(peer);
        present(peer);
    }

    /** The link to a bftserver has gone down. */
    public void onDisconnected(int peer) {
        gate.unlinked(peer);
        desk.unlinked(peer);
    }

    private void present(int peer) {
        desk.renew();
        outlet.send(peer, Envelope.seal(Envelope.Kind.PRESENT, ownGreeting));
        if (engine.isReady()) {
            outlet.send(peer, Envelope.seal(Envelope.Kind.READY, new byte[0]));
        }
    }

    private void forward(int peer, byte[] frame) {
        byte[] before = lastOut;
        int stream = frame.length - FrameCheck.CODE_BYTES;
        boolean again = frame.length == before.length && Arrays.equals(frame, 0, stream, before, 0, stream);
        if (frame.length <= MOST_FIRST_VOTE_BYTES && !again) {
            lastOut = frame;
            check.vote(frame).filter(vote -> !vote.second()).ifPresent(this::onFirstVote);
        }
        check.forwarded(frame)
                .ifPresent(request -> doubts.passesOn(request, System.nanoTime(), (long)
                        (PATIENCE * TimeUnit.MILLISECONDS.toNanos(engine.requestTimeoutMillis()))));
        if (outlet.send(peer, Envelope.seal(Envelope.Kind.FRAME, frame))) {
            meter.framesOut.increment();
        } else {
            meter.framesLost.increment();
        }
    }

    /** The own replica has voted, as what it sends any other shows: now it may have the others' second votes. */
    private void onFirstVote(Vote vote) {
        for (HeldVotes.Held one : votes.first(vote, engine.instance())) {
            PeerSide side = peers.get(one.peer());
            if (side != null) {
                side.deliver(one.frame());
            }
        }
    }

    /**
     * Takes what the shield of another bftserver sent.
     *
     * @param peer who sent it, by its TLS key
     * @param frame at least one byte
     */
    public void receive(int peer, byte[] frame) {
        PeerSide side = peers.get(peer);
        Envelope envelope = Envelope.open(frame).orElse(null);
        if (side == null || envelope == null) {
            meter.refuse(Refusal.NOT_A_MESSAGE);
            return;
        }
        switch (envelope.kind()) {
            case PRESENT -> {
                if (side.present(envelope.content())) {
                    desk.renew();
                }
            }
            case FRAME -> side.frame(envelope.content());
            case REQUEST -> request(peer, envelope.content());
            case READY -> gate.ready(peer);
            case WAITS ->
                WaitingRequest.decode(envelope.content())
                        .ifPresentOrElse(name -> doubts.said(peer, name), () -> meter.refuse(Refusal.NOT_A_MESSAGE));
        }
    }

    /**
     * A new leader that has nothing to propose would propose an empty batch, which its peers must refuse because it makes
     * their libraries lose decisions. So there is always something: a command that is none.
     */
    private void onLeaderDoubted() {
        long now = System.nanoTime();
        long last = lastFiller.get();
        if (now - last > FILLER_NANOS && lastFiller.compareAndSet(last, now)) {
            desk.submit(FILLER.clone()).exceptionally(lost -> FILLER);
        }
    }

    private void request(int peer, byte[] request) {
        RequestId id = RequestCheck.check(peer, request, options.maxCommandBytes() + ShieldOptions.REQUEST_BYTES)
                .orElse(null);
        PeerRequests waiting = requests.get(peer);
        if (id == null || waiting == null) {
            meter.requestsRefused.increment();
            return;
        }
        switch (waiting.given(id, request, System.nanoTime())) {
            case TAKEN -> {
                meter.requestsIn.increment();
                inject(request, false);
            }
            case OUT_OF_TURN, WAITING -> meter.requestsOutOfTurn.increment();
            case NO_ROOM -> meter.requestsRefused.increment();
        }
    }

    /**
     * Gives a request to the replica once that takes part. What came before a replica joined a cluster that had ordered
     * something is left out: it may be ordered already, and the replica would wait for it for ever and doubt the leader.
     */
    private void inject(byte[] request, boolean anew) {
        boolean early = !engine.isReady();
        injecting.execute(() -> {
            if (!gate.await() || early && joined) {
                return;
            }
            doubtAbsentLeader();
            if (!(anew ? engine.injectAnew(request) : engine.inject(request))) {
                LOG.debug("replica {} takes no requests yet", self);
            }
        });
    }

    /** At the start of a cluster whose first leader is not there, it is not waited for as long as for one that was. */
    private void doubtAbsentLeader() {
        if (!begun) {
            begun = true;
            if (engine.instance() < 0 && engine.leader() != self && gate.isAbsent(engine.leader())) {
                engine.doubtLeader(ABSENT_LEADER_MILLIS);
            }
        }
    }

    private RequestDesk.Recipients recipients() {
        return new RequestDesk.Recipients() {
            @Override
            public void own(byte[] request) {
                PeerRequests own = requests.get(self);
                if (own != null) {
                    own.given(RequestCheck.id(request), request, System.nanoTime());
                }
                inject(request, false);
            }

            @Override
            public boolean other(int bftserver, byte[] request) {
                return outlet.send(bftserver, Envelope.seal(Envelope.Kind.REQUEST, request));
            }
        };
    }

    private void onExecuted(int client, int session, int sequence, byte[] command, byte[] answer) {
        RequestId id = new RequestId(client, session, sequence);
        int owner = RequestCheck.owner(client);
        PeerRequests waiting = requests.get(owner);
        if (waiting != null) {
            waiting.executed(id);
        }
        doubts.executed(id);
        synchronized (lately) {
            lately.put(id, System.nanoTime());
        }
        if (owner == self) {
            desk.executed(id, command, answer);
        }
    }

    /**
     * Submits a command to be ordered. It may be ordered although its stage fails, so every command must be harmless when
     * it is ordered twice.
     *
     * @param command at most {@link ShieldOptions#maxCommandBytes()} bytes; must not be changed afterwards
     * @return the own replica's answer; fails with {@code OrderingUnavailable}. Dependent stages must not block
     * @throws IllegalArgumentException when the command is too large
     */
    public CompletionStage<byte[]> submit(byte[] command) {
        check(command);
        return desk.submit(command);
    }

    /**
     * Submits a command that somebody else gave to this bftserver, as {@link #submit} does, but only while such commands
     * take no more than half the room: the other half is for what the bftserver says itself.
     */
    public CompletionStage<byte[]> relay(byte[] command) {
        check(command);
        return desk.relay(command);
    }

    private void check(byte[] command) {
        if (command.length > options.maxCommandBytes()) {
            throw new IllegalArgumentException(
                    "a command has at most " + options.maxCommandBytes() + " bytes, not " + command.length);
        }
    }

    /** Whether the replica takes part in the order. */
    public boolean isReady() {
        return engine.isReady();
    }

    /** Which replica leads, as far as this one knows; -1 before it takes part. */
    public int leader() {
        return engine.leader();
    }

    /** The regency that the replica is in. */
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

    /** What has happened so far. */
    public ShieldCounters counters() {
        return meter.read();
    }

    /** Stops the replica and all that belongs to it. */
    @Override
    public void close() {
        housekeeping.shutdownNow();
        desk.close();
        // First the connections: then nothing in the library waits for a peer any more.
        peers.values().forEach(PeerSide::close);
        engine.close();
        injecting.shutdownNow();
        try {
            door.close();
        } catch (IOException impossible) {
            LOG.debug("closing a door", impossible);
        }
    }
}

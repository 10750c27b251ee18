package org.aspas.emulab.baselines.obft;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.DelayedTransport;
import org.aspas.client.net.RoundTripDelay;
import org.aspas.client.net.SocketTransport;
import org.aspas.client.net.Transport;
import org.aspas.client.net.TransportDelay;
import org.aspas.emulab.baselines.obft.core.Effect;
import org.aspas.emulab.baselines.obft.core.ObftClient;
import org.aspas.emulab.baselines.obft.core.ObftKeys;
import org.aspas.emulab.baselines.obft.core.ObftReplica;
import org.aspas.emulab.baselines.obft.core.ObftSettings;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LedgerComparison;
import org.aspas.emulab.workload.SessionSettings;
import org.aspas.emulab.workload.SystemUnderTest;
import org.jspecify.annotations.Nullable;

/** OBFT, reconstructed: N = 3f+1 replicas in this process, on real loopback sockets. Thread-safe. */
public final class ObftSystem implements SystemUnderTest {
    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int FRAME_BYTES = 8 << 20;
    private static final int QUEUED_FRAMES = 4_096;
    private static final long POLL_MILLIS = 50;
    private static final int SECRET_BYTES = 32;

    private final @Nullable EmulatedNetwork network;
    private final List<ObftKeys> keys;
    private final List<ObftServer> servers = new ArrayList<>();
    private final Set<Integer> stopped = new ConcurrentSkipListSet<>();
    private final AtomicLong clients = new AtomicLong();
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));

    private ObftSystem(int replicas, @Nullable EmulatedNetwork network) {
        this.network = network;
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        this.keys =
                ObftKeys.deal(replicas, secret, Ed25519Choice.ofThisProcess().scheme());
    }

    /**
     * Starts all replicas, and waits until they have found each other.
     *
     * @param quorums f is its number of faults among appservers
     * @param interval after how many operations the replicas synchronise
     * @param network delays what replicas and clients send; null for no delay
     * @throws IOException when no ports can be had
     * @throws TimeoutException when they have not found each other in time
     */
    public static ObftSystem start(Quorums quorums, int interval, Duration patience, @Nullable EmulatedNetwork network)
            throws IOException, InterruptedException, TimeoutException {
        ObftSystem system = new ObftSystem(quorums.appservers(), network);
        boolean complete = false;
        try {
            for (int self = 0; self < quorums.appservers(); self++) {
                ObftSettings settings = ObftSettings.usual(self, quorums.f(), interval);
                ObftServer server = new ObftServer(
                        settings,
                        system.keys.get(self),
                        network == null ? null : network.delayOf(NodeId.appserver(self)));
                system.servers.add(server);
            }
            system.connect();
            system.awaitServing(patience);
            complete = true;
            return system;
        } catch (PortUnavailableException failed) {
            throw new IOException("a replica cannot be started: " + failed.getMessage(), failed);
        } finally {
            if (!complete) {
                system.close();
            }
        }
    }

    private void connect() {
        for (ObftServer server : servers) {
            for (int peer = 0; peer < servers.size(); peer++) {
                if (servers.get(peer) != server) {
                    server.connect(peer, servers.get(peer).linkAddress());
                }
            }
        }
    }

    @Override
    public String name() {
        return "obft";
    }

    @Override
    public CompletionStage<ObftSession> open(SessionSettings settings) {
        if (network != null && settings.placed()) {
            int home = network.world().home(settings.client(), servers.size());
            return open(home, network.delayOf(settings.client(), home));
        }
        Duration roundTrip = settings.roundTrip();
        return open(
                settings.client() % servers.size(),
                roundTrip.isZero() ? null : new RoundTripDelay(roundTrip, resources.scheduler()));
    }

    private CompletionStage<ObftSession> open(int server, @Nullable TransportDelay delay) {
        long client = clients.incrementAndGet();
        Transport real = new SocketTransport(
                resources.loops(), servers.get(server).clientAddress(), CONNECT, FRAME_BYTES, QUEUED_FRAMES);
        Transport transport =
                delay == null ? real : new DelayedTransport(real, delay, resources.executor(), QUEUED_FRAMES);
        return ObftSession.open(new ObftClient(client, keys.get(server).clientKey(client)), transport);
    }

    /** Waits until every replica can send to every other one. */
    @Override
    public void awaitServing(Duration patience) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (ObftServer server : servers) {
            for (int peer = 0; peer < servers.size(); peer++) {
                while (servers.get(peer) != server && !server.isConnected(peer)) {
                    if (System.nanoTime() - deadline > 0) {
                        throw new TimeoutException("replica " + servers.indexOf(server) + " has no link to " + peer
                                + " after " + patience.toSeconds() + " s");
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
            }
        }
    }

    /** Has the replicas that run synchronise once more, and asks each for every value. */
    @Override
    public Convergence converge(Ledger ledger, Duration patience) throws InterruptedException {
        LedgerComparison comparison = new LedgerComparison(ledger, ANSWER);
        synchronise(comparison, patience);
        int asked = 0;
        for (int server : running()) {
            String name = "replica " + server;
            ObftSession session = comparison.await(name, "session", open(server, null));
            if (session != null) {
                asked += comparison.compare(name, session::counter, session::set) ? 1 : 0;
                session.close();
            }
        }
        return comparison.result(running().size(), asked, 0);
    }

    private void synchronise(LedgerComparison comparison, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<Long> before = epochs();
        running().forEach(server -> servers.get(server).synchronise());
        long wanted = before.stream().mapToLong(Long::longValue).max().orElse(0) + 1;
        List<Long> now = before;
        while (now.stream().anyMatch(epoch -> epoch < wanted)) {
            if (System.nanoTime() - deadline > 0) {
                comparison.differs("no synchronisation within " + patience.toSeconds() + " s: " + now);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            now = epochs();
        }
    }

    private List<Long> epochs() {
        return running().stream()
                .map(server -> servers.get(server).ask(ObftReplica::epoch).join())
                .toList();
    }

    /** Stops a replica for good, as a fault. */
    public void stop(int replica) {
        if (stopped.add(replica)) {
            servers.get(replica).close();
        }
    }

    private List<Integer> running() {
        return IntStream.range(0, servers.size())
                .filter(server -> !stopped.contains(server))
                .boxed()
                .toList();
    }

    /**
     * Where the replicas' time went since the last call: {@code stopped_share} is the part of the time in which clients were
     * stopped, {@code core_share} and {@code core_share_stopped} those in which a replica's core worked, in all and while
     * clients were stopped; the times are those of one synchronisation on average.
     */
    @Override
    public SortedMap<String, Double> takeFigures() {
        long now = System.nanoTime();
        List<SynchronisationMeter.Sums> all = running().stream()
                .map(server -> servers.get(server).meter().take(now))
                .toList();
        double nanos = sum(all, SynchronisationMeter.Sums::nanos);
        double ended = sum(all, SynchronisationMeter.Sums::synchronisations);
        SortedMap<String, Double> figures = new TreeMap<>();
        figures.put("synchronisations", ended / all.size());
        figures.put("stopped_share", sum(all, SynchronisationMeter.Sums::stopped) / nanos);
        figures.put("core_share", sum(all, SynchronisationMeter.Sums::working) / nanos);
        figures.put("core_share_stopped", sum(all, SynchronisationMeter.Sums::workingStopped) / nanos);
        for (Effect.Phase phase : List.of(Effect.Phase.STOPPED, Effect.Phase.AGREEING, Effect.Phase.FETCHING)) {
            figures.put(
                    phase.name().toLowerCase(Locale.ROOT) + "_ms",
                    ended == 0 ? 0 : sum(all, sums -> sums.in(phase)) / ended / 1e6);
        }
        figures.put("undone", sum(all, SynchronisationMeter.Sums::undone));
        figures.put("fetched", sum(all, SynchronisationMeter.Sums::fetched));
        figures.put("more_rounds", sum(all, SynchronisationMeter.Sums::moreRounds));
        return figures;
    }

    private static double sum(List<SynchronisationMeter.Sums> all, ToLongFunction<SynchronisationMeter.Sums> figure) {
        return all.stream().mapToLong(figure).sum();
    }

    @Override
    public void close() {
        resources.close();
        IntStream.range(0, servers.size()).forEach(this::stop);
    }
}

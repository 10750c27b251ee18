package org.aspas.emulab.testbed.cluster;

import akka.actor.ActorSystem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.aspas.appserver.node.AkkaSystem;
import org.aspas.appserver.node.AppServer;
import org.aspas.appserver.node.AppServerOptions;
import org.aspas.appserver.node.StartException;
import org.aspas.appserver.store.Durability;
import org.aspas.appserver.store.StoreOptions;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.bftcluster.node.BftServerOptions;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.bound.Backoff;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.certify.lag.StepDurations;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.deployment.Folders;
import org.aspas.emulab.testbed.deployment.Deployment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole fresh deployment in this process: N = 3f+1 appservers and n = 3b+1 bftservers with keys of their own, on real
 * loopback sockets. The appservers share one actor system. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final String APPSERVERS = "appservers";
    private static final String BFTSERVERS = "bftservers";
    private static final long POLL_MILLIS = 50;
    private static final long CLOSE_SECONDS = 10;
    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);

    private final Deployment deployment;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ActorSystem actors = AkkaSystem.create("aspas");
    private final Map<Integer, AppServer> appservers = new TreeMap<>();
    private final Map<Integer, BftServer> bftservers = new TreeMap<>();
    /** The bftservers that started once: a record in memory is gone when they start again. */
    private final Set<Integer> begun = ConcurrentHashMap.newKeySet();

    private final SignatureTotals totals = new SignatureTotals();

    private final Replacements replacements = new Replacements(this);
    private final ClusterOptions options;
    private final @Nullable ClusterWorld world;

    private Cluster(Deployment deployment, ClusterOptions options) {
        this.deployment = deployment;
        this.options = options;
        EmulatedNetwork network = options.network();
        this.world = network == null ? null : new ClusterWorld(this, network);
    }

    /**
     * Makes keys and starts every node; returns before the nodes have found each other, see {@link #awaitReady}.
     *
     * @throws IOException when no free ports can be had or a node cannot be started
     */
    public static Cluster start(Quorums quorums) throws IOException, InterruptedException {
        return start(quorums, ClusterOptions.defaults());
    }

    /** As {@link #start(Quorums)}, with other options. */
    public static Cluster start(Quorums quorums, ClusterOptions options) throws IOException, InterruptedException {
        Deployment deployment =
                Deployment.generate("loopback", quorums, LoopbackPlaces.choose(quorums), Set.of(), Limits.DEFAULT);
        Cluster cluster = new Cluster(deployment, options);
        boolean started = false;
        try {
            Path data = options.data();
            if (data != null && options.durability() != null) {
                deployment.makeStores(Folders.disk(), data);
            } else if (data != null) {
                deployment.makeRecords(Folders.disk(), data);
            }
            cluster.startNodes();
            started = true;
            return cluster;
        } finally {
            if (!started) {
                cluster.close();
            }
        }
    }

    private void startNodes() throws IOException {
        Quorums quorums = deployment.descriptor().quorums();
        try {
            for (int replica = 0; replica < quorums.bftservers(); replica++) {
                startBftserver(replica);
            }
            for (int server = 0; server < quorums.appservers(); server++) {
                startAppserver(server);
            }
        } catch (PortUnavailableException | RecordUnusableException | StartException failed) {
            throw new IOException("a node cannot be started: " + failed.getMessage(), failed);
        }
    }

    /** Starts a bftserver that does not run. */
    public void startBftserver(int index) throws PortUnavailableException, RecordUnusableException {
        BftServer server = bftserverHere(index);
        synchronized (bftservers) {
            bftservers.put(index, server);
        }
        server.failure().thenAccept(reason -> replacements.replace(index, server, reason));
    }

    private BftServer bftserverHere(int index) throws PortUnavailableException, RecordUnusableException {
        NodeId id = NodeId.bftserver(index);
        return BftServer.start(
                deployment.descriptor(),
                index,
                deployment.key(id),
                deployment.orderingKeys().get(index),
                new BftServerOptions(HOST, Map.of(), Optional.ofNullable(kept(id)))
                        .withFirstStart(begun.add(index))
                        .withDelay(options.delayOf(id))
                        .withTracing(options.tracing()));
    }

    /** Starts an appserver that does not run. One that keeps nothing has forgotten what it signed, and looks like a forger. */
    public void startAppserver(int index) throws StartException {
        NodeId id = NodeId.appserver(index);
        AppServerOptions chosen = AppServerOptions.defaults()
                .withSystem(actors)
                .withMachine(options.machines().apply(index))
                .withRetention(options.retention())
                .withDelay(options.delayOf(id))
                .withTracing(options.tracing());
        Path kept = kept(id);
        Durability durability = options.durability();
        if (kept != null && durability != null) {
            chosen = chosen.withStore(new StoreOptions(kept, durability));
        }
        AppServer server = AppServer.start(deployment.descriptor(), index, deployment.key(id), chosen);
        synchronized (appservers) {
            appservers.put(index, server);
        }
    }

    private @Nullable Path kept(NodeId node) {
        Path data = options.data();
        return data == null ? null : data.resolve(node.toString());
    }

    public Optional<ClusterWorld> world() {
        return Optional.ofNullable(world);
    }

    /**
     * Waits until every running appserver says that it is ready and every running bftserver takes part in the order.
     *
     * @throws TimeoutException when one is not in time; the message names it
     */
    public void awaitReady(Duration patience) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (int server : running()) {
            awaitReady(server, Duration.ofNanos(deadline - System.nanoTime()));
        }
        for (BftServer server : runningBftservers()) {
            while (!server.isReady()) {
                pause(deadline, "a bftserver");
            }
        }
    }

    public void awaitReady(int server, Duration patience) throws TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!probe(server).ready()) {
            pause(deadline, "appserver-" + server);
        }
    }

    private static void pause(long deadline, String who) throws TimeoutException, InterruptedException {
        if (System.nanoTime() - deadline > 0) {
            throw new TimeoutException(who + " is not ready in time");
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }

    private List<BftServer> runningBftservers() {
        synchronized (bftservers) {
            return List.copyOf(bftservers.values());
        }
    }

    /** How long the steps from answers to confirmations took in the time until now, over all running nodes. */
    public Map<LagStep, DurationFigures> lagSteps(Duration past) {
        List<StepDurations> nodes = new ArrayList<>();
        synchronized (appservers) {
            appservers.values().forEach(server -> nodes.add(server.lag()));
        }
        runningBftservers().forEach(server -> nodes.add(server.lag()));
        return StepDurations.together(nodes, System.nanoTime() - past.toNanos());
    }

    private List<Integer> running() {
        synchronized (appservers) {
            return List.copyOf(appservers.keySet());
        }
    }

    public Deployment deployment() {
        return deployment;
    }

    public Descriptor descriptor() {
        return deployment.descriptor();
    }

    /** The number of appservers, running or not. */
    public int appservers() {
        return descriptor().quorums().appservers();
    }

    /** The number of bftservers, running or not. */
    public int bftservers() {
        return descriptor().quorums().bftservers();
    }

    public AppserverAccess access() {
        return new AppserverAccess(descriptor(), http);
    }

    public URI address(int appserver) {
        return access().address(appserver);
    }

    public AppserverProbe probe(int appserver) {
        return access().probe(appserver);
    }

    /** Connects a client with a fresh key to an appserver. */
    public AspasClient client(int appserver, ClientOptions options) {
        return access().client(appserver, options);
    }

    /** The public-key operations since the start, of stopped servers too: {@code appservers} and {@code bftservers}. */
    public SortedMap<String, SignatureCounts.Reading> signatures() {
        SortedMap<String, SignatureCounts.Reading> parties = new TreeMap<>();
        synchronized (appservers) {
            parties.put(
                    APPSERVERS,
                    totals.with(APPSERVERS, appservers.values().stream().map(AppServer::signatures)));
        }
        parties.put(
                BFTSERVERS, totals.with(BFTSERVERS, runningBftservers().stream().map(BftServer::signatures)));
        return parties;
    }

    /** Stops one appserver; has no effect when it is stopped already. */
    public void stopAppserver(int index) {
        AppServer server;
        synchronized (appservers) {
            server = appservers.remove(index);
        }
        if (server != null) {
            server.close();
            totals.stopped(APPSERVERS, server.signatures());
        }
    }

    /** A running appserver; empty when it is stopped. */
    public Optional<AppServer> appserver(int index) {
        synchronized (appservers) {
            return Optional.ofNullable(appservers.get(index));
        }
    }

    /** A running bftserver; empty when it is stopped. */
    public Optional<BftServer> bftserver(int index) {
        synchronized (bftservers) {
            return Optional.ofNullable(bftservers.get(index));
        }
    }

    /** Stops one bftserver; has no effect when it is stopped already. */
    public void stopBftserver(int index) {
        bftserver(index).ifPresent(server -> stopBftserver(index, server));
    }

    /** Stops a bftserver if it is still this one; returns whether it was. */
    boolean stopBftserver(int index, BftServer server) {
        boolean same;
        synchronized (bftservers) {
            same = bftservers.remove(index, server);
        }
        if (same) {
            server.close();
            totals.stopped(BFTSERVERS, server.signatures());
        }
        return same;
    }

    @Override
    public void close() {
        world().ifPresent(ClusterWorld::close);
        replacements.close();
        for (int server = 0; server < appservers(); server++) {
            stopAppserver(server);
        }
        for (int replica = 0; replica < bftservers(); replica++) {
            stopBftserver(replica);
        }
        actors.terminate();
        try {
            actors.getWhenTerminated()
                    .toCompletableFuture()
                    .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                    .join();
        } catch (CompletionException unclean) {
            LOG.warn("the actor system does not end cleanly", unclean.getCause());
        }
        Path data = options.data();
        if (data != null && options.scratch()) {
            ScratchFolder.remove(data);
        }
    }

    /**
     * Makes a bftserver of a {@link Cluster} anew when its replica cannot go on: what the supervisor of {@code aspas
     * bftserver} does for a process of its own. Thread-safe.
     */
    private static final class Replacements implements AutoCloseable {
        private static final Logger LOG = LoggerFactory.getLogger(Replacements.class);
        private static final long FIRST_PAUSE_MILLIS = 1_000;
        private static final long LONGEST_PAUSE_MILLIS = 30_000;

        private final Cluster cluster;
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread made = new Thread(task, "replacements");
            made.setDaemon(true);
            return made;
        });

        Replacements(Cluster cluster) {
            this.cluster = cluster;
        }

        /** Closes a bftserver that has failed, unless it is stopped already, and starts it again after a pause. */
        void replace(int index, BftServer failed, String reason) {
            try {
                thread.execute(() -> {
                    if (cluster.stopBftserver(index, failed)) {
                        LOG.error("bftserver-{} has failed: {}; it is started again", index, reason);
                        startIn(index, Backoff.of(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS));
                    }
                });
            } catch (RejectedExecutionException closed) {
                LOG.debug("bftserver-{} failed while the cluster ends: {}", index, reason);
            }
        }

        private void startIn(int index, Backoff backoff) {
            var unused = thread.schedule(() -> start(index, backoff), backoff.pause(), TimeUnit.MILLISECONDS);
        }

        private void start(int index, Backoff backoff) {
            if (cluster.bftserver(index).isPresent()) {
                return;
            }
            try {
                cluster.startBftserver(index);
            } catch (PortUnavailableException | RecordUnusableException notYet) {
                LOG.error("bftserver-{} cannot be started again yet; the others go on without it", index, notYet);
                startIn(index, backoff.next());
            }
        }

        /** Starts nothing any more; returns when nothing is being started. */
        @Override
        public void close() {
            thread.shutdownNow();
            try {
                if (!thread.awaitTermination(LONGEST_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                    LOG.warn("a bftserver is slow to start");
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A folder whose files are of no use once its servers have stopped. */
    private static final class ScratchFolder {
        private static final Logger LOG = LoggerFactory.getLogger(ScratchFolder.class);

        private ScratchFolder() {}

        /** Removes it with all that is in it; what cannot be removed is logged, and left. */
        static void remove(Path folder) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException left) {
                LOG.warn("what the servers kept is left in {}", folder, left);
            }
        }
    }

    /** The public-key operations of servers that have stopped, by party. Thread-safe. */
    private static final class SignatureTotals {
        private final Map<String, SignatureCounts.Reading> stopped = new ConcurrentHashMap<>();

        void stopped(String party, SignatureCounts.Reading server) {
            stopped.merge(party, server, SignatureCounts.Reading::plus);
        }

        /** A party's total, with its servers that still run. */
        SignatureCounts.Reading with(String party, Stream<SignatureCounts.Reading> running) {
            return running.reduce(
                    stopped.getOrDefault(party, SignatureCounts.Reading.NOTHING), SignatureCounts.Reading::plus);
        }
    }
}

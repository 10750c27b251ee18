package org.aspas.emulab.console;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.aspas.appserver.store.Durability;
import org.aspas.bftcluster.node.BftServerMetrics;
import org.aspas.bftcluster.telemetry.MetricsPort;
import org.aspas.bftcluster.telemetry.TracingSettings;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.emulab.testbed.cluster.Cluster;
import org.aspas.emulab.testbed.cluster.StorageOptions;
import org.aspas.emulab.workload.ClientSession;
import org.aspas.emulab.workload.Ledger;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.ObjectKind;
import org.aspas.emulab.workload.StoreSession;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.WorkloadDriver;
import org.aspas.emulab.workload.WorkloadMix;
import org.aspas.emulab.workload.WorkloadPhase;
import org.aspas.emulab.workload.YcsbWorkload;
import org.jspecify.annotations.Nullable;

/** Four appservers, four bftservers and clients in this process, which work when they are told to. For one thread. */
final class LoadedCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(300);
    private static final ToleranceMix MIX = new ToleranceMix(Map.of("1", 20, "4", 40, "unbounded", 40));
    /** Counters, so that no object grows and late turns are like early ones. */
    private static final YcsbWorkload WORKLOAD = YcsbWorkload.of(WorkloadMix.A, ObjectKind.COUNTERS);

    /** The turn's beginning and end are not counted. */
    private static final long EDGE_SECONDS = 1;

    /** The process that all nodes and clients are in. */
    static final OperatingSystemMXBean PROCESS = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Cluster cluster;
    private final ClientResources resources =
            ClientResources.create(Math.max(2, Runtime.getRuntime().availableProcessors()));
    private final List<StoreSession> sessions = new ArrayList<>();
    private final List<ToleranceClass> classes;
    private final List<MetricsPort> ports = new ArrayList<>();
    private final List<URI> metrics = new ArrayList<>();
    private long seed;

    /** Operations a second, and this process's time of all processors for one of them, in microseconds. */
    record Turn(double perSecond, double micros) {}

    private LoadedCluster(Cluster cluster, int clients) {
        this.cluster = cluster;
        this.classes = MIX.deal(clients);
    }

    /** Starts everything; each client has a session, and does nothing. */
    static LoadedCluster start(int clients, @Nullable TracingSettings tracing) throws Exception {
        Cluster cluster = Cluster.start(
                new Quorums(1, 1),
                StorageOptions.NOTHING.with(Durability.OS).options().withTracing(tracing));
        LoadedCluster made = new LoadedCluster(cluster, clients);
        cluster.awaitReady(PATIENCE);
        made.openPorts();
        made.connect(clients);
        return made;
    }

    private void openPorts() throws Exception {
        for (int server = 0; server < cluster.appservers(); server++) {
            metrics.add(cluster.address(server).resolve("/metrics"));
        }
        for (int replica = 0; replica < cluster.bftservers(); replica++) {
            NodeId self = NodeId.bftserver(replica);
            List<NodeId> others = cluster.descriptor().nodes().stream()
                    .map(NodeDescription::id)
                    .filter(node -> !node.equals(self))
                    .toList();
            MetricsPort port = MetricsPort.open(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    new BftServerMetrics(cluster.bftserver(replica).orElseThrow(), self, others)::read);
            ports.add(port);
            metrics.add(URI.create("http://127.0.0.1:" + port.address().getPort() + "/metrics"));
        }
    }

    private void connect(int clients) throws Exception {
        List<AspasClient> made = new ArrayList<>();
        for (int number = 0; number < clients; number++) {
            made.add(cluster.client(
                    number % cluster.appservers(),
                    ClientOptions.defaults()
                            .withResources(resources)
                            .withTolerance(classes.get(number).tolerance())));
        }
        for (AspasClient client : made) {
            client.ready().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            sessions.add(new ClientSession(client));
        }
    }

    /** Where each node serves its figures. */
    List<URI> metrics() {
        return List.copyOf(metrics);
    }

    /**
     * Lets all clients work for a while, each with one operation open, and waits until all they did is confirmed.
     *
     * @return the operations a second in between
     */
    double perSecond(long seconds) throws Exception {
        return work(1, seconds, turn -> {}).get(0).perSecond();
    }

    /**
     * Does so for several turns of as many seconds, with no pause between them.
     *
     * @param begins told of each turn, from 0, before it begins
     * @return what was done in each
     */
    List<Turn> work(int turns, long seconds, IntConsumer begins) throws Exception {
        long millis = TimeUnit.SECONDS.toMillis(turns * seconds + 2 * EDGE_SECONDS);
        Measures measures = new Measures(System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(millis));
        WorkloadDriver driver =
                new WorkloadDriver(sessions, classes, measures, new Ledger(), ++seed, new LoadModel.Closed(1));
        CompletableFuture<?> work = CompletableFuture.runAsync(() -> drive(driver, millis), task -> {
            Thread made = new Thread(task, "load");
            made.setDaemon(true);
            made.start();
        });
        pass(EDGE_SECONDS);
        List<Turn> done = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            begins.accept(turn);
            long before = measures.operations();
            long processor = PROCESS.getProcessCpuTime();
            long start = System.nanoTime();
            pass(seconds);
            double operations = measures.operations() - before;
            done.add(new Turn(
                    operations / ((System.nanoTime() - start) / 1e9),
                    (PROCESS.getProcessCpuTime() - processor) / 1e3 / operations));
        }
        work.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (!measures.awaitConfirmations(PATIENCE.toMillis()) || measures.errors() > 0) {
            throw new IllegalStateException(
                    measures.unconfirmed() + " updates are not confirmed; errors: " + measures.firstErrors());
        }
        return done;
    }

    private static void drive(WorkloadDriver driver, long millis) {
        try {
            driver.run(List.of(new WorkloadPhase(WORKLOAD, millis)), phase -> {});
        } catch (Exception failed) {
            throw new IllegalStateException("the clients cannot work", failed);
        }
    }

    private static void pass(long seconds) throws InterruptedException {
        new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        ports.forEach(MetricsPort::close);
        sessions.forEach(session -> session.close()
                .toCompletableFuture()
                .completeOnTimeout(null, EDGE_SECONDS, TimeUnit.SECONDS)
                .join());
        resources.close();
        cluster.close();
    }
}

package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.ClientResources;
import org.aspas.client.api.Update;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.aspas.emulab.sim.world.WorldMap;
import org.aspas.emulab.sim.world.WorldReader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Delays hold from below; how late frames are depends on the machine. */
class ClusterWorldTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);
    private static final Quorums QUORUMS = new Quorums(1, 1);
    private static final String NETWORKS = """
        name: small
        about: Four networks.
        networks_ms: {clients_appservers: 40, appservers: 30, appservers_bftservers: 20, bftservers: 10}
        """;

    private static WorldMap world(String faults) throws MalformedFileException {
        return WorldReader.read("small.yaml", NETWORKS + faults, role -> true);
    }

    private @Nullable EmulatedNetwork network;

    @AfterEach
    void end() {
        if (network != null) {
            network.close();
        }
    }

    private Cluster cluster(WorldMap world) throws Exception {
        network = new EmulatedNetwork(world, 7);
        Cluster cluster = Cluster.start(QUORUMS, ClusterOptions.defaults().in(network));
        try {
            cluster.awaitReady(PATIENCE);
            return cluster;
        } catch (Exception failed) {
            cluster.close();
            throw failed;
        }
    }

    /** A client at its place, at the appserver that is its home. */
    private static AspasClient client(Cluster cluster, EmulatedNetwork network, int place) {
        return cluster.client(
                network.world().home(place, cluster.appservers()),
                network.place(ClientOptions.defaults(), ClientResources.shared(), place));
    }

    @Test
    void everyNetworkIsDelayedAndCounted() throws Exception {
        try (Cluster cluster = cluster(world(""))) {
            ClusterWorld world = cluster.world().orElseThrow();
            try (AspasClient client = client(cluster, world.network(), 0)) {
                client.ready().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                world.begin();
                long start = System.nanoTime();
                Update update = client.counter("far").increment(1);
                update.answered().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
                update.confirmed().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
            DelayReport report = world.network().report();
            assertThat(report.world()).isEqualTo("small");
            assertThat(report.networks().stream().map(DelayReport.Network::name))
                    .containsExactly("clients_appservers", "appservers", "appservers_bftservers", "bftservers");
            double[] asked = {20, 15, 10, 5};
            for (int at = 0; at < asked.length; at++) {
                DelayReport.Network network = report.networks().get(at);
                assertThat(network.frames()).isPositive();
                assertThat(network.askedMs()).isCloseTo(asked[at], within(0.5));
                assertThat(network.measuredMs()).isGreaterThanOrEqualTo(network.askedMs());
                assertThat(network.lateMaxMs()).isGreaterThanOrEqualTo(network.lateP99Ms());
            }
        }
    }

    /** Two of four bftservers on each side make no certificate; when they reach each other again, they do. */
    @Test
    void aPartitionHoldsAndHeals() throws Exception {
        String faults = "faults: [{at: 0 s, for: 4 s, partition: [[bftserver-0, bftserver-1],"
                + " [bftserver-2, bftserver-3]]}]\n";
        try (Cluster cluster = cluster(world(faults))) {
            ClusterWorld world = cluster.world().orElseThrow();
            try (AspasClient client = client(cluster, world.network(), 0)) {
                client.counter("before")
                        .increment(1)
                        .confirmed()
                        .toCompletableFuture()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                world.begin();
                long start = System.nanoTime();
                client.counter("during")
                        .increment(1)
                        .confirmed()
                        .toCompletableFuture()
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(TimeUnit.SECONDS.toNanos(4));
                assertThat(client.statistics().verificationFailures()).isZero();
            }
        }
    }

    @Test
    void aKilledBftserverStopsAndStartsAgain() throws Exception {
        try (Cluster cluster = cluster(world("faults: [{at: 0 s, for: 1 s, kill: bftserver-3}]\n"))) {
            ClusterWorld world = cluster.world().orElseThrow();
            world.begin();
            await().atMost(PATIENCE).until(() -> cluster.bftserver(3).isEmpty());
            await().atMost(PATIENCE).until(() -> cluster.bftserver(3).isPresent());
        }
    }

    /** What the timeline would do later does not happen any more. */
    @Test
    void atTheEndWhatIsDownStartsAgain() throws Exception {
        String faults = "faults: [{at: 0 s, for: 900 s, kill: bftserver-3}, {at: 500 s, for: 1 s, kill: bftserver-2},"
                + " {at: 0 s, for: 900 s, partition: [[appserver-0], [appserver-1]]}]\n";
        try (Cluster cluster = cluster(world(faults))) {
            ClusterWorld world = cluster.world().orElseThrow();
            world.begin();
            await().atMost(PATIENCE).until(() -> cluster.bftserver(3).isEmpty());
            world.end();
            assertThat(cluster.bftserver(3)).isPresent();
            cluster.awaitReady(PATIENCE);
        }
    }

    @Test
    void whatOneProcessCannotHaveIsNamed() throws Exception {
        assertThat(impossible("{at: 1 s, for: 1 s, partition: [[appserver-0], [appserver-1]]}"))
                .isEmpty();
        assertThat(impossible("{at: 1 s, for: 1 s, kill: bftserver-0}")).isEmpty();
        assertThat(impossible("{at: 1 s, byzantine: appserver-3, role: forking}"))
                .isEmpty();
        assertThat(impossible("{at: 1 s, for: 1 s, freeze: bftserver-0}"))
                .hasValueSatisfying(why -> assertThat(why).contains("freezes bftserver-0"));
        assertThat(impossible("{at: 1 s, for: 1 s, kill: appserver-1}"))
                .hasValueSatisfying(why -> assertThat(why).contains("kills appserver-1"));
        assertThat(impossible("{at: 1 s, for: 1 s, kill: bftserver-4}"))
                .hasValueSatisfying(why -> assertThat(why).contains("there are 4"));
        assertThat(impossible("{at: 1 s, byzantine: appserver-5, role: forking}"))
                .hasValueSatisfying(why -> assertThat(why).contains("there are 4"));
        assertThat(impossible("{at: 1 s, byzantine: appserver-2, role: forking},"
                        + " {at: 1 s, byzantine: appserver-3, role: forking}"))
                .hasValueSatisfying(why -> assertThat(why).contains("2 Byzantine"));
    }

    private static Optional<String> impossible(String faults) throws MalformedFileException {
        return ClusterWorld.impossible(world("faults: [" + faults + "]\n"), QUORUMS);
    }
}

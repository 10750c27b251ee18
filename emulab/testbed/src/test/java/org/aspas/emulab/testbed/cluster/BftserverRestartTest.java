package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.node.BftServer;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.UpdateConfirmation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bftservers that stop and start again, on real sockets and files. */
class BftserverRestartTest {
    private static final Duration PATIENCE = Duration.ofSeconds(240);

    @TempDir
    private Path data;

    private static UpdateConfirmation increment(AspasClient client) throws Exception {
        return client.counter("kept")
                .increment(1)
                .confirmed()
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void certificatesGoOnInOneChainAfterAllBftserversStopped() throws Exception {
        try (Cluster cluster =
                Cluster.start(new Quorums(1, 1), ClusterOptions.defaults().withRecords(data))) {
            cluster.awaitReady(PATIENCE);
            try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
                long before = increment(client).certificateNumber().value();
                for (int replica = 0; replica < cluster.bftservers(); replica++) {
                    cluster.stopBftserver(replica);
                }
                for (int replica = 0; replica < cluster.bftservers(); replica++) {
                    start(cluster, replica);
                }
                UpdateConfirmation after = increment(client);
                assertThat(after.certificateNumber()).isGreaterThan(new CertificateNumber(before));
                assertThat(client.statistics().verificationFailures()).isZero();
            }
        }
    }

    /** The library keeps its ports for up to ten seconds after a stop. */
    private static void start(Cluster cluster, int replica) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            cluster.startBftserver(replica);
            return cluster.bftserver(replica).isPresent();
        });
    }

    /** A thread of the ordering library ends, as a bug there would end it. */
    @Test
    void aBftserverWhoseReplicaDiesIsMadeAnew() throws Exception {
        try (Cluster cluster = Cluster.start(new Quorums(1, 1))) {
            cluster.awaitReady(PATIENCE);
            try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
                increment(client);
                BftServer before = cluster.bftserver(2).orElseThrow();
                endDelivery(before);
                await().atMost(PATIENCE)
                        .until(() -> cluster.bftserver(2)
                                .filter(now -> now != before && now.isReady() && now.signs())
                                .isPresent());
                increment(client);
            }
        }
    }

    private static void endDelivery(BftServer server) throws ReflectiveOperationException {
        Object replica = field(field(field(server, "engine"), "replica"), "engine");
        Object states = call(field(replica, "machine"), "states");
        call(call(call(states, "layer"), "getDeliveryThread"), "shutdown");
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }

    private static Object call(Object owner, String name) throws ReflectiveOperationException {
        Method method = owner.getClass().getDeclaredMethod(name);
        method.setAccessible(true);
        return method.invoke(owner);
    }

    /** Nobody asks for anything; what waits for the leader is the bftservers' own votes for ordered time. */
    @Test
    void aLostLeaderIsReplacedThoughNobodyAsksForAnything() throws Exception {
        try (Cluster cluster = Cluster.start(new Quorums(1, 1))) {
            cluster.awaitReady(PATIENCE);
            int leader = cluster.bftserver(0).orElseThrow().leader();
            cluster.stopBftserver(leader);
            int left = (leader + 1) % cluster.bftservers();
            await().atMost(PATIENCE)
                    .until(() -> cluster.bftserver(left).orElseThrow().leader() != leader);
            long tick = cluster.bftserver(left).orElseThrow().tick();
            await().atMost(PATIENCE)
                    .until(() -> cluster.bftserver(left).orElseThrow().tick() > tick + 2);
        }
    }

    @Test
    void aBftserverWithoutItsRecordIsTaughtByTheOthers() throws Exception {
        try (Cluster cluster = Cluster.start(new Quorums(1, 1))) {
            cluster.awaitReady(PATIENCE);
            try (AspasClient client = cluster.client(0, ClientOptions.defaults())) {
                increment(client);
                cluster.stopBftserver(3);
                increment(client);
                start(cluster, 3);
                await().atMost(PATIENCE)
                        .until(() ->
                                cluster.bftserver(3).filter(BftServer::signs).isPresent());
                increment(client);
            }
        }
    }
}

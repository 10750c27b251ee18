package org.aspas.bftcluster.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.aspas.bftcluster.Chain;
import org.aspas.bftcluster.FreeAddresses;
import org.aspas.bftcluster.engine.BareReplica;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ordered commands per second through the bare library (its ports open, plain TCP) and through the isolation layers (mutual TLS),
 * with all replicas and with one down, in one run on one machine. The ratios are the figures of docs/security.md.
 */
@Tag("attack")
class ThroughputTest {
    private static final ReplicaOptions OPTIONS = new ReplicaOptions(4_000, 100, 50);
    private static final int WARM = 2_000;
    private static final int MEASURED = 6_000;
    private static final int IN_FLIGHT = 256;

    @Test
    void containmentAndALostReplicaCostLittle() throws Exception {
        double[] bare = bare();
        double[] isolated = isolated();
        System.out.printf(
                "ordered commands/s: bare %.0f, bare with one down %.0f, isolated %.0f, isolated with one down %.0f%n"
                        + "ratios: isolated/bare %.2f, isolated one down/none down %.2f%n",
                bare[0], bare[1], isolated[0], isolated[1], isolated[0] / bare[0], isolated[1] / isolated[0]);
        assertThat(isolated[0] / bare[0]).isGreaterThan(0.5);
        assertThat(isolated[1] / isolated[0]).isGreaterThan(0.5);
    }

    private static double[] isolated() throws Exception {
        try (IsolatedCluster cluster = new IsolatedCluster(OPTIONS, 5_000)) {
            cluster.startAll();
            Function<byte[], CompletionStage<byte[]>> submit = cluster.replica(1)::submit;
            run(submit, WARM);
            double all = run(submit, MEASURED);
            cluster.stop(3);
            run(submit, WARM / 4);
            return new double[] {all, run(submit, MEASURED)};
        }
    }

    private static double[] bare() throws Exception {
        List<InetSocketAddress> addresses = FreeAddresses.pairs(IsolatedCluster.N);
        List<BareReplica> engines = new ArrayList<>();
        try (OrderingProxy proxy = new OrderingProxy(addresses, IsolatedCluster.QUORUMS, ProxyOptions.defaults())) {
            for (int i = 0; i < IsolatedCluster.N; i++) {
                BareReplica engine = new BareReplica(
                        i,
                        addresses,
                        IsolatedCluster.QUORUMS,
                        IsolatedCluster.key(i),
                        IsolatedCluster.publicKeys(),
                        new Chain(),
                        OPTIONS);
                engines.add(engine);
                engine.start();
            }
            for (BareReplica engine : engines) {
                engine.ready().toCompletableFuture().get(60, TimeUnit.SECONDS);
            }
            run(proxy::submit, WARM);
            double all = run(proxy::submit, MEASURED);
            engines.get(3).close();
            run(proxy::submit, WARM / 4);
            return new double[] {all, run(proxy::submit, MEASURED)};
        } finally {
            engines.forEach(BareReplica::close);
        }
    }

    /** Commands per second; what failed does not count. */
    private static double run(Function<byte[], CompletionStage<byte[]>> submit, int commands) throws Exception {
        Semaphore room = new Semaphore(IN_FLIGHT);
        byte[] command = new byte[200];
        AtomicInteger ordered = new AtomicInteger();
        long began = System.nanoTime();
        for (int i = 0; i < commands; i++) {
            assertThat(room.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            submit.apply(command).whenComplete((answer, failure) -> {
                ordered.addAndGet(failure == null ? 1 : 0);
                room.release();
            });
        }
        assertThat(room.tryAcquire(IN_FLIGHT, 60, TimeUnit.SECONDS)).isTrue();
        return ordered.get() / ((System.nanoTime() - began) / 1e9);
    }
}

package org.aspas.bftcluster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.Chain;
import org.aspas.bftcluster.FreeAddresses;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.aspas.certify.identity.Quorums;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReplicaEngineTest {
    private static final int N = 4;
    private static final Quorums QUORUMS = new Quorums(1, 1);
    private static final ReplicaOptions OPTIONS = new ReplicaOptions(2_000, 100, 50);
    private static final List<KeyPair> KEYS = new ArrayList<>();

    private final List<BareReplica> engines = new ArrayList<>();
    private final List<Chain> machines = new ArrayList<>();
    private List<InetSocketAddress> addresses = List.of();

    @BeforeAll
    static void makeKeys() throws NoSuchAlgorithmException {
        PrintCapture.install();
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        for (int i = 0; i < N; i++) {
            KEYS.add(generator.generateKeyPair());
        }
    }

    @AfterEach
    void closeAll() {
        engines.forEach(BareReplica::close);
    }

    @Test
    void replicasAgreeAlsoWithOneDownAndAfterItsReturn() throws Exception {
        startAll();
        try (OrderingProxy proxy = new OrderingProxy(addresses, QUORUMS, ProxyOptions.defaults())) {
            order(proxy, 0, 200);
            awaitEqual(200, machines);

            engines.get(3).close();
            order(proxy, 200, 400);
            awaitEqual(400, machines.subList(0, 3));

            awaitPort(addresses.get(3).getPort() + 1);
            start(3);
            ready(3);
            order(proxy, 400, 500);
            awaitEqual(500, machines);
        }
    }

    @Test
    void aReplicaReturnsUnderLoad() throws Exception {
        startAll();
        try (OrderingProxy proxy = new OrderingProxy(addresses, QUORUMS, ProxyOptions.defaults())) {
            engines.get(3).close();
            order(proxy, 0, 50);
            AtomicBoolean returned = new AtomicBoolean();
            AtomicInteger next = new AtomicInteger(50);
            CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
                while (!returned.get()) {
                    int from = next.get();
                    orderUnchecked(proxy, from, from + 10);
                    next.set(from + 10);
                }
            });
            awaitPort(addresses.get(3).getPort() + 1);
            start(3);
            ready(3);
            returned.set(true);
            load.get(60, TimeUnit.SECONDS);
            order(proxy, next.get(), next.get() + 10);
            awaitEqual(next.get() + 10, machines);
        }
    }

    @Test
    void aMachineThatThrowsIsAnsweredTheSameEverywhere() throws Exception {
        startAll();
        try (OrderingProxy proxy = new OrderingProxy(addresses, QUORUMS, ProxyOptions.defaults())) {
            byte[] answer = proxy.submit(new byte[0]).toCompletableFuture().get(60, TimeUnit.SECONDS);
            assertThat(answer).isEqualTo(RecoverableMachine.FAILED);
            order(proxy, 0, 10);
            awaitEqual(10, machines);
        }
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        List<InetSocketAddress> pairs = FreeAddresses.pairs(N);
        try (ServerSocket taken = new ServerSocket(pairs.get(0).getPort(), 1, InetAddress.getLoopbackAddress());
                ReplicaEngine engine = contained(0, pairs)) {
            assertThatThrownBy(engine::start)
                    .isInstanceOf(PortUnavailableException.class)
                    .hasMessageContaining(":" + taken.getLocalPort());
        }
    }

    @Test
    void aShortKeyIsRefused() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        KeyPair weak = generator.generateKeyPair();
        List<PublicKey> keys = new ArrayList<>(publicKeys());
        keys.set(2, weak.getPublic());
        assertThatThrownBy(() -> new PinnedRsaKeys(0, KEYS.get(0), keys)).hasMessageContaining("1024 bits");
    }

    @Test
    void aReplicaThatWaitsForOthersCanBeClosed() throws Exception {
        List<InetSocketAddress> pairs = FreeAddresses.pairs(N);
        ReplicaEngine engine = contained(0, pairs);
        engine.start();
        engine.close();
        awaitPort(pairs.get(0).getPort());
        awaitPort(pairs.get(0).getPort() + 1);
        assertThat(engine.isReady()).isFalse();
    }

    private void startAll() throws Exception {
        addresses = FreeAddresses.pairs(N);
        for (int i = 0; i < N; i++) {
            start(i);
        }
        for (int i = 0; i < N; i++) {
            ready(i);
        }
    }

    private void start(int replica) {
        Chain machine = new Chain();
        BareReplica engine =
                new BareReplica(replica, addresses, QUORUMS, KEYS.get(replica), publicKeys(), machine, OPTIONS);
        if (replica < engines.size()) {
            engines.set(replica, engine);
            machines.set(replica, machine);
        } else {
            engines.add(engine);
            machines.add(machine);
        }
        engine.start();
    }

    private static ReplicaEngine contained(int replica, List<InetSocketAddress> addresses) throws IOException {
        Containment containment = new Containment(
                new InMemoryServerSocket(),
                (client, session, sequence, command, answer) -> {},
                new Containment.Bounds(1 << 20, 1000));
        return new ReplicaEngine(
                replica, addresses, QUORUMS, KEYS.get(replica), publicKeys(), new Chain(), OPTIONS, containment);
    }

    private void ready(int replica) throws Exception {
        engines.get(replica).ready().get(60, TimeUnit.SECONDS);
    }

    private static List<PublicKey> publicKeys() {
        return KEYS.stream().map(KeyPair::getPublic).toList();
    }

    private static void order(OrderingProxy proxy, int from, int to) throws Exception {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            answers.add(proxy.submit(ByteBuffer.allocate(4).putInt(i).array()).toCompletableFuture());
        }
        for (var answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(32);
        }
    }

    private static void orderUnchecked(OrderingProxy proxy, int from, int to) {
        try {
            order(proxy, from, to);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void awaitEqual(int commands, List<Chain> machines) {
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            for (Chain machine : machines) {
                assertThat(machine.count()).isEqualTo(commands);
                assertThat(machine.snapshot()).isEqualTo(machines.get(0).snapshot());
            }
        });
    }

    private static void awaitPort(int port) {
        await().atMost(Duration.ofSeconds(300)).until(() -> FreeAddresses.isFree(port));
    }
}

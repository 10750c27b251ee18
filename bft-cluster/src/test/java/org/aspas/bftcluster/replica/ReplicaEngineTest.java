package org.aspas.bftcluster.replica;

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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.bftcluster.link.PortUnavailableException;
import org.aspas.bftcluster.proxy.OrderingProxy;
import org.aspas.bftcluster.proxy.ProxyOptions;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.quorum.Quorums;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReplicaEngineTest {
    private static final int N = 4;
    private static final Quorums QUORUMS = new Quorums(1, 1);
    private static final List<KeyPair> KEYS = new ArrayList<>();

    private final List<ReplicaEngine> engines = new ArrayList<>();
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
        engines.forEach(ReplicaEngine::close);
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
        addresses = freeAddresses();
        try (ServerSocket taken = new ServerSocket(addresses.get(0).getPort(), 1, InetAddress.getLoopbackAddress())) {
            ReplicaEngine engine = engine(0);
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
        addresses = freeAddresses();
        start(0);
        engines.get(0).close();
        awaitPort(addresses.get(0).getPort());
        awaitPort(addresses.get(0).getPort() + 1);
        assertThat(engines.get(0).isReady()).isFalse();
    }

    private void startAll() throws Exception {
        addresses = freeAddresses();
        for (int i = 0; i < N; i++) {
            start(i);
        }
        for (int i = 0; i < N; i++) {
            ready(i);
        }
    }

    private void start(int replica) throws PortUnavailableException {
        ReplicaEngine engine = engine(replica);
        engine.start();
    }

    private ReplicaEngine engine(int replica) {
        Chain machine = new Chain();
        ReplicaEngine engine = new ReplicaEngine(
                replica,
                addresses,
                QUORUMS,
                KEYS.get(replica),
                publicKeys(),
                machine,
                new ReplicaOptions(2_000, 100, 50));
        if (replica < engines.size()) {
            engines.set(replica, engine);
            machines.set(replica, machine);
        } else {
            engines.add(engine);
            machines.add(machine);
        }
        return engine;
    }

    private void ready(int replica) throws Exception {
        engines.get(replica).ready().toCompletableFuture().get(60, TimeUnit.SECONDS);
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
        await().atMost(Duration.ofSeconds(20)).until(() -> isFree(port));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /**
     * A free port whose successor is free too, for each replica; below the range from which the system takes the ports
     * of outgoing connections, so that none of those can take one before the replica does.
     */
    private static List<InetSocketAddress> freeAddresses() throws IOException {
        SecureRandom random = new SecureRandom();
        Map<Integer, InetSocketAddress> found = new TreeMap<>();
        while (found.size() < N) {
            int port = 10_000 + 2 * random.nextInt(5_000);
            if (isFree(port) && isFree(port + 1)) {
                found.put(port, new InetSocketAddress("127.0.0.1", port));
            }
        }
        return List.copyOf(found.values());
    }

    /** The count of the commands and a hash over all of them in order. */
    private static final class Chain implements OrderedMachine {
        private int count;
        private byte[] head = new byte[32];

        @Override
        public synchronized byte[] apply(byte[] command) {
            if (command.length == 0) {
                throw new IllegalStateException("thrown on purpose by a test");
            }
            count++;
            try {
                MessageDigest digest = MessageDigest.getInstance("SHA-256");
                digest.update(head);
                head = digest.digest(command);
            } catch (NoSuchAlgorithmException impossible) {
                throw new IllegalStateException(impossible);
            }
            return head.clone();
        }

        @Override
        public synchronized byte[] snapshot() {
            return ByteBuffer.allocate(36).putInt(count).put(head).array();
        }

        @Override
        public synchronized void restore(byte[] snapshot) {
            ByteBuffer buffer = ByteBuffer.wrap(snapshot);
            count = buffer.getInt();
            head = new byte[32];
            buffer.get(head);
        }

        synchronized int count() {
            return count;
        }
    }
}

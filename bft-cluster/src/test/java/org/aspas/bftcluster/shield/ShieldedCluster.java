package org.aspas.bftcluster.shield;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.replica.PrintCapture;
import org.aspas.bftcluster.replica.ReplicaOptions;
import org.aspas.certify.machine.OrderedMachine;
import org.aspas.certify.quorum.Quorums;

/** Four shielded replicas in this process, with links that are queues: what they carry can be watched and made up. */
final class ShieldedCluster implements AutoCloseable {
    static final int N = 4;
    static final Quorums QUORUMS = new Quorums(1, 1);
    private static final List<KeyPair> KEYS = makeKeys();

    private final Map<Integer, ReplicaShield> shields = new ConcurrentHashMap<>();
    private final Map<Integer, Chain> machines = new TreeMap<>();
    private final Map<Integer, ExecutorService> links = new ConcurrentHashMap<>();
    private final ReplicaOptions options;

    ShieldedCluster(ReplicaOptions options) {
        PrintCapture.install();
        this.options = options;
    }

    private static List<KeyPair> makeKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            List<KeyPair> keys = new ArrayList<>();
            for (int i = 0; i < N; i++) {
                keys.add(generator.generateKeyPair());
            }
            return List.copyOf(keys);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static KeyPair key(int replica) {
        return KEYS.get(replica);
    }

    static List<PublicKey> publicKeys() {
        return KEYS.stream().map(KeyPair::getPublic).toList();
    }

    void start(int replica) throws Exception {
        Chain machine = new Chain();
        ReplicaShield shield = new ReplicaShield(
                replica,
                QUORUMS,
                KEYS.get(replica),
                publicKeys(),
                machine,
                options,
                ShieldOptions.defaults(),
                (to, frame) -> send(replica, to, frame));
        machines.put(replica, machine);
        shields.put(replica, shield);
        links.putIfAbsent(replica, Executors.newSingleThreadExecutor());
        shield.start();
        for (Map.Entry<Integer, ReplicaShield> other : shields.entrySet()) {
            if (other.getKey() != replica) {
                shield.onConnected(other.getKey());
                other.getValue().onConnected(replica);
            }
        }
    }

    /** Delivers a frame as if the link of a replica had brought it. */
    boolean send(int from, int to, byte[] frame) {
        ReplicaShield target = shields.get(to);
        ExecutorService link = links.get(to);
        if (target == null || link == null || !shields.containsKey(from)) {
            return false;
        }
        link.execute(() -> target.receive(from, frame));
        return true;
    }

    void startAll() throws Exception {
        for (int i = 0; i < N; i++) {
            start(i);
        }
        for (int i = 0; i < N; i++) {
            awaitReady(i);
        }
    }

    void awaitReady(int replica) throws Exception {
        shield(replica).ready().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    void stop(int replica) {
        ReplicaShield shield = shields.remove(replica);
        if (shield != null) {
            shield.close();
        }
    }

    ReplicaShield shield(int replica) {
        return java.util.Objects.requireNonNull(shields.get(replica));
    }

    Chain machine(int replica) {
        return java.util.Objects.requireNonNull(machines.get(replica));
    }

    /** Has commands ordered through a replica and waits for them. */
    void order(int through, int from, int to) throws Exception {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            answers.add(shield(through)
                    .submit(ByteBuffer.allocate(4).putInt(i).array())
                    .toCompletableFuture());
        }
        for (CompletableFuture<byte[]> answer : answers) {
            assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(32);
        }
    }

    /** Waits until these replicas have executed so many commands, all the same ones. */
    void awaitEqual(int commands, int... replicas) {
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            for (int replica : replicas) {
                assertThat(machine(replica).count()).isEqualTo(commands);
                assertThat(machine(replica).snapshot())
                        .isEqualTo(machine(replicas[0]).snapshot());
            }
        });
    }

    @Override
    public void close() {
        List.copyOf(shields.keySet()).forEach(this::stop);
        links.values().forEach(ExecutorService::shutdownNow);
    }

    /** The count of the commands and a hash over all of them in order. */
    static final class Chain implements OrderedMachine {
        private int count;
        private byte[] head = new byte[32];

        @Override
        public synchronized byte[] apply(byte[] command) {
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

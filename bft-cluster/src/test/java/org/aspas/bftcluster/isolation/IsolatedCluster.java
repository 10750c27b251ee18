package org.aspas.bftcluster.isolation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.aspas.bftcluster.Chain;
import org.aspas.bftcluster.engine.PrintCapture;
import org.aspas.bftcluster.engine.ReplicaOptions;
import org.aspas.bftcluster.link.LinkLimits;
import org.aspas.bftcluster.link.LinkListener;
import org.aspas.bftcluster.link.NodeLinks;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.TlsIdentity;

/** Four isolated replicas in this process, with the nodes' real links between them. */
final class IsolatedCluster implements AutoCloseable {
    static final int N = 4;
    static final Quorums QUORUMS = new Quorums(1, 1);
    private static final List<KeyPair> KEYS = makeKeys();
    private static final Map<NodeId, PublicKey> PEERS = IntStream.range(0, N)
            .boxed()
            .collect(Collectors.toMap(NodeId::bftserver, i -> identity(i).publicKey()));

    private final Map<Integer, IsolatedReplica> replicas = new ConcurrentHashMap<>();
    private final Map<Integer, Chain> machines = new TreeMap<>();
    private final Map<Integer, NodeLinks> links = new ConcurrentHashMap<>();
    private final Map<Integer, List<Given>> given = new ConcurrentHashMap<>();
    private final Map<Integer, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final ReplicaOptions options;
    private final int commandTimeoutMillis;
    private final IntFunction<Grouping> groupings;

    /** A replica was told that another one gave a command. */
    record Given(int by, String command) {}

    IsolatedCluster(ReplicaOptions options) {
        this(options, 90_000);
    }

    IsolatedCluster(ReplicaOptions options, int commandTimeoutMillis) {
        this(options, commandTimeoutMillis, any -> Grouping.NONE);
    }

    IsolatedCluster(ReplicaOptions options, int commandTimeoutMillis, IntFunction<Grouping> groupings) {
        PrintCapture.install();
        this.options = options;
        this.commandTimeoutMillis = commandTimeoutMillis;
        this.groupings = groupings;
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

    static List<java.security.PublicKey> publicKeys() {
        return KEYS.stream().map(KeyPair::getPublic).toList();
    }

    void start(int replica) throws Exception {
        Chain machine = new Chain();
        IsolatedReplica[] made = new IsolatedReplica[1];
        NodeLinks own = links(replica, new LinkListener() {
            @Override
            public void onConnected(NodeId peer) {
                made[0].onConnected(peer.index());
            }

            @Override
            public void onDisconnected(NodeId peer) {
                made[0].onDisconnected(peer.index());
            }

            @Override
            public void onFrame(NodeId peer, byte[] frame) {
                made[0].receive(peer.index(), frame);
            }
        });
        IsolatedReplica isolated = new IsolatedReplica(
                replica,
                QUORUMS,
                KEYS.get(replica),
                publicKeys(),
                machine,
                options,
                new IsolationOptions((8 << 20) - 64, 32L << 20, 4 << 20, 4096, commandTimeoutMillis),
                groupings.apply(replica),
                new IsolatedReplica.Outlet() {
                    @Override
                    public boolean send(int bftserver, byte[] frame) {
                        return own.send(NodeId.bftserver(bftserver), frame);
                    }

                    @Override
                    public void given(int bftserver, byte[] command) {
                        IsolatedCluster.this.given(replica).add(new Given(bftserver, new String(command, UTF_8)));
                    }
                });
        made[0] = isolated;
        machines.put(replica, machine);
        replicas.put(replica, isolated);
        isolated.start();
        join(replica, own);
    }

    /** What a replica was told that others gave. */
    List<Given> given(int replica) {
        return given.computeIfAbsent(replica, any -> new CopyOnWriteArrayList<>());
    }

    /** Links of a replica that nobody has joined yet. */
    NodeLinks links(int replica, LinkListener listener) {
        InetSocketAddress listen =
                addresses.getOrDefault(replica, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        LinkLimits limits = new LinkLimits(8 << 20, 64L << 20, 64, 5_000, 50, 500, 2_000);
        return new NodeLinks(NodeId.bftserver(replica), identity(replica), PEERS, listen, limits, listener);
    }

    /** Starts links and connects them with all others. */
    void join(int replica, NodeLinks own) throws Exception {
        links.put(replica, own);
        addresses.put(replica, own.start());
        for (int other : links.keySet()) {
            if (other != replica) {
                own.connect(NodeId.bftserver(other), addresses.get(other));
                links.get(other).connect(NodeId.bftserver(replica), addresses.get(replica));
            }
        }
    }

    private static TlsIdentity identity(int replica) {
        byte[] seed = new byte[32];
        seed[0] = (byte) (replica + 1);
        return TlsIdentity.of(seed);
    }

    /** Where the links of a replica listen. */
    InetSocketAddress address(int replica) {
        return java.util.Objects.requireNonNull(addresses.get(replica));
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
        replica(replica).ready().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }

    void stop(int replica) {
        IsolatedReplica isolated = replicas.remove(replica);
        if (isolated != null) {
            isolated.close();
        }
        NodeLinks own = links.remove(replica);
        if (own != null) {
            own.close();
        }
    }

    IsolatedReplica replica(int replica) {
        return java.util.Objects.requireNonNull(replicas.get(replica));
    }

    int regency(int replica) {
        return replica(replica).regency();
    }

    int instance(int replica) {
        return replica(replica).instance();
    }

    Chain machine(int replica) {
        return java.util.Objects.requireNonNull(machines.get(replica));
    }

    /** Has commands ordered through a replica and waits for them. */
    void order(int through, int from, int to) throws Exception {
        List<CompletableFuture<byte[]>> answers = new ArrayList<>();
        for (int i = from; i < to; i++) {
            answers.add(replica(through)
                    .submit(ByteBuffer.allocate(4).putInt(i).array())
                    .toCompletableFuture());
        }
        for (CompletableFuture<byte[]> answer : answers) {
            assertThat(answer.get(100, TimeUnit.SECONDS)).hasSize(32);
        }
    }

    /** The same; what fails is submitted again, as bftservers do. */
    void orderPersistently(int through, int from, int to) {
        Set<Integer> left = ConcurrentHashMap.newKeySet();
        IntStream.range(from, to).forEach(left::add);
        Set<Integer> submitted = ConcurrentHashMap.newKeySet();
        await().atMost(Duration.ofSeconds(150)).until(() -> {
            for (int command : left) {
                if (submitted.add(command)) {
                    replica(through)
                            .submit(ByteBuffer.allocate(4).putInt(command).array())
                            .whenComplete((answer, failure) -> {
                                if (failure == null) {
                                    left.remove(command);
                                } else {
                                    submitted.remove(command);
                                }
                            });
                }
            }
            return left.isEmpty();
        });
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

    /** Waits until these replicas have executed at least so many commands, all the same ones. */
    void awaitAgreement(int commands, int... replicas) {
        await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> {
            for (int replica : replicas) {
                assertThat(machine(replica).count()).isGreaterThanOrEqualTo(commands);
                assertThat(machine(replica).snapshot())
                        .isEqualTo(machine(replicas[0]).snapshot());
            }
        });
    }

    @Override
    public void close() {
        for (int replica = 0; replica < N; replica++) {
            stop(replica);
        }
    }
}

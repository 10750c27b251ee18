package org.aspas.bftcluster.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What strangers at a link port cost the nodes of the deployment. */
class StrangersAtLinksTest {
    private static final NodeId SERVER = NodeId.bftserver(0);
    private static final int PEERS = 3;
    private static final int PLACES = 8;
    private static final int LONG_MILLIS = 120_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final List<AutoCloseable> opened = new CopyOnWriteArrayList<>();
    private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
    private final Set<String> threads = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch held = new CountDownLatch(0);

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    /** With the places of strangers all taken for two minutes, a node connects at once. */
    @Test
    void silentStrangersKeepNoNodeOut() throws Exception {
        NodeLinks server = server(limits(PLACES, LONG_MILLIS));
        InetSocketAddress address = server.start();
        for (int i = 0; i < 8 * PLACES; i++) {
            stranger(address);
        }
        NodeLinks peer = peer(0);
        peer.connect(SERVER, address);
        await().atMost(PATIENCE).until(() -> peer.isConnected(SERVER));
        assertThat(peer.counters().dialsFailed()).isZero();
        await().atMost(PATIENCE).until(() -> server.counters().connectionsRefused() >= 7 * PLACES);
        assertThat(server.counters().handshakesRejected()).isZero();
    }

    /** One place for those who are not known yet is enough for any number of nodes. */
    @Test
    void nodesThatAreConnectedTakeNoPlace() throws Exception {
        NodeLinks server = server(limits(1, LONG_MILLIS));
        InetSocketAddress address = server.start();
        for (int i = 0; i < PEERS; i++) {
            NodeLinks peer = peer(i);
            peer.connect(SERVER, address);
            await().atMost(PATIENCE).until(() -> peer.isConnected(SERVER));
        }
        stranger(address);
        stranger(address);
        await().atMost(PATIENCE).until(() -> server.counters().connectionsRefused() == 1);
        for (AutoCloseable one : opened) {
            if (one instanceof NodeLinks peer && peer != server) {
                assertThat(peer.send(SERVER, new byte[] {1})).isTrue();
                assertThat(frames.poll(60, TimeUnit.SECONDS)).containsExactly(1);
            }
        }
    }

    /** Places of the nodes' addresses are not those of others. */
    @Test
    void strangersElsewhereTakeNoPlaceOfANodesAddress() throws Exception {
        NodeLinks server = server(limits(2, LONG_MILLIS));
        InetSocketAddress address = server.start();
        Socket atNodesAddress = stranger(address, InetAddress.getByName("127.0.0.1"));
        for (int i = 0; i < 10; i++) {
            stranger(address, InetAddress.getByName("127.0.0.1"));
        }
        assertThat(isEnded(atNodesAddress)).isTrue();
        server.connect(NodeId.appserver(0), new InetSocketAddress("127.0.0.1", 1));
        Socket first = stranger(address, InetAddress.getByName("127.0.0.1"));
        List<Socket> others = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            others.add(stranger(address, InetAddress.getByName("127.0.0." + (2 + i))));
        }
        assertThat(isEnded(others.get(0))).isTrue();
        assertThat(isEnded(first, 200)).isFalse();
    }

    /** Neither silence nor bytes of a handshake, however slow, keep a connection longer than a handshake may take. */
    @Test
    void nobodyIsUnknownForLong() throws Exception {
        Duration limit = Duration.ofMillis(500);
        NodeLinks server = server(limits(64, (int) limit.toMillis()));
        InetSocketAddress address = server.start();
        Duration fastest = untilStrangersAreEnded(address);
        assertThat(server.counters().handshakesRejected()).isEqualTo(2);
        // A machine that is busy with something else is slow, but not each time.
        for (int i = 0; i < 9 && fastest.compareTo(limit.plusSeconds(2)) > 0; i++) {
            Duration next = untilStrangersAreEnded(address);
            fastest = next.compareTo(fastest) < 0 ? next : fastest;
        }
        assertThat(fastest).isLessThan(limit.plusSeconds(2));
    }

    /** How long a silent stranger and one with slow bytes of a handshake stay. */
    private Duration untilStrangersAreEnded(InetSocketAddress address) throws IOException {
        long began = System.nanoTime();
        Socket silent = stranger(address);
        Socket slow = stranger(address);
        OutputStream out = slow.getOutputStream();
        out.write(new byte[] {22, 3, 1, 2, 0, 1});
        CompletableFuture<Boolean> ended = CompletableFuture.supplyAsync(() -> isEnded(slow));
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            try {
                out.write(0);
            } catch (IOException closed) {
                assertThat(ended).succeedsWithin(PATIENCE);
            }
            return ended.isDone();
        });
        assertThat(isEnded(silent)).isTrue();
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /** What a node sends together with the end of its handshake is not lost while its connection moves. */
    @Test
    void framesBeforeTheWelcomeArrive() throws Exception {
        NodeLinks server = server(limits(PLACES, LONG_MILLIS));
        InetSocketAddress address = server.start();
        try (SSLSocket socket = (SSLSocket) key(1).contextFor(Set.of(key(0).publicKey()))
                .getSocketFactory()
                .createSocket(address.getAddress(), address.getPort())) {
            ByteBuffer three = ByteBuffer.allocate(15);
            for (byte i = 0; i < 3; i++) {
                three.putInt(1).put(i);
            }
            socket.getOutputStream().write(three.array());
            for (byte i = 0; i < 3; i++) {
                assertThat(frames.poll(60, TimeUnit.SECONDS)).containsExactly(i);
            }
        }
    }

    /** The answer to an empty frame that came with the end of the handshake does not wait for more frames. */
    @Test
    void anEmptyFrameBeforeTheWelcomeIsAnswered() throws Exception {
        InetSocketAddress address = server(limits(PLACES, LONG_MILLIS)).start();
        for (int i = 0; i < 20; i++) {
            try (SSLSocket socket = (SSLSocket) key(1).contextFor(Set.of(key(0).publicKey()))
                    .getSocketFactory()
                    .createSocket(address.getAddress(), address.getPort())) {
                socket.setSoTimeout((int) PATIENCE.toMillis());
                socket.getOutputStream().write(new byte[4]);
                assertThat(socket.getInputStream().readNBytes(8))
                        .as("welcome and answer")
                        .isEqualTo(new byte[8]);
            }
        }
    }

    /** No thread of the links deals with strangers: they are dealt with while all of these are held up. */
    @Test
    void strangersHaveAThreadOfTheirOwn() throws Exception {
        NodeLinks server = server(limits(PLACES, LONG_MILLIS));
        InetSocketAddress address = server.start();
        held = new CountDownLatch(1);
        try {
            for (int i = 0; i < 2; i++) {
                NodeLinks peer = peer(i);
                peer.connect(SERVER, address);
                await().atMost(PATIENCE).until(() -> peer.isConnected(SERVER));
                assertThat(peer.send(SERVER, new byte[] {1})).isTrue();
                assertThat(frames.poll(60, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(threads).hasSize(2);
            Socket stranger = stranger(address);
            stranger.getOutputStream().write(new byte[64]);
            assertThat(isEnded(stranger)).isTrue();
            assertThat(server.counters().handshakesRejected()).isOne();
        } finally {
            held.countDown();
        }
    }

    /**
     * Frames on a link that is up, without and with a stranger who connects as fast as it can: all arrive, on the links' own
     * threads. How much longer they took is printed and not judged: that depends on the machine.
     */
    @Test
    void aFloodOfStrangersDoesNotHoldUpLinks() throws Exception {
        NodeLinks server = server(limits(PLACES, 5_000));
        InetSocketAddress address = server.start();
        NodeLinks peer = peer(0);
        peer.connect(SERVER, address);
        await().atMost(PATIENCE).until(() -> peer.isConnected(SERVER));
        medianMicros(peer); // Warms up.
        long quiet = medianMicros(peer);
        AtomicInteger strangers = new AtomicInteger();
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<Void> flood = CompletableFuture.runAsync(() -> flood(address, strangers, stop));
        await().atMost(PATIENCE).until(() -> strangers.get() > 4 * PLACES);
        long flooded = medianMicros(peer);
        stop.complete(null);
        flood.join();
        System.out.printf(
                "median time of a frame: %d us, beside %d strangers %d us: ratio %.2f%n",
                quiet, strangers.get(), flooded, (double) flooded / quiet);
        assertThat(peer.isConnected(SERVER)).isTrue();
        assertThat(threads).isNotEmpty().allMatch(name -> name.startsWith("link-"));
    }

    private static void flood(InetSocketAddress address, AtomicInteger strangers, CompletableFuture<Void> stop) {
        while (!stop.isDone()) {
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                strangers.incrementAndGet();
                socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
            } catch (IOException ended) {
                // As it should; on to the next one.
            }
        }
    }

    private long medianMicros(NodeLinks peer) throws InterruptedException {
        long[] micros = new long[500];
        for (int i = 0; i < micros.length; i++) {
            long began = System.nanoTime();
            assertThat(peer.send(SERVER, new byte[] {(byte) i})).isTrue();
            assertThat(frames.poll(60, TimeUnit.SECONDS)).isNotNull();
            micros[i] = (System.nanoTime() - began) / 1_000;
        }
        Arrays.sort(micros);
        return micros[micros.length / 2];
    }

    private Socket stranger(InetSocketAddress address) throws IOException {
        return stranger(address, InetAddress.getLoopbackAddress());
    }

    private Socket stranger(InetSocketAddress address, InetAddress from) throws IOException {
        Socket socket = new Socket(address.getAddress(), address.getPort(), from, 0);
        opened.add(socket);
        return socket;
    }

    private static boolean isEnded(Socket socket) {
        return isEnded(socket, 60_000);
    }

    /** Whether the other side ends the connection, in so many milliseconds. */
    private static boolean isEnded(Socket socket, int millis) {
        try {
            socket.setSoTimeout(millis);
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // An alert of TLS.
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private NodeLinks server(LinkLimits limits) {
        NodeLinks links = new NodeLinks(SERVER, key(0), keys(), ANY, limits, new LinkListener() {
            @Override
            public void onConnected(NodeId peer) {
                // Awaited at the peer.
            }

            @Override
            public void onDisconnected(NodeId peer) {
                // Nothing is expected of it.
            }

            @Override
            public void onFrame(NodeId peer, byte[] frame) {
                threads.add(Thread.currentThread().getName());
                frames.add(frame);
                try {
                    held.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        opened.add(links);
        return links;
    }

    private NodeLinks peer(int index) {
        NodeLinks links = new NodeLinks(
                NodeId.appserver(index), key(1 + index), keys(), ANY, limits(PLACES, LONG_MILLIS), new LinkListener() {
                    @Override
                    public void onConnected(NodeId peer) {
                        // Awaited by its state.
                    }

                    @Override
                    public void onDisconnected(NodeId peer) {
                        // Seen in its state.
                    }

                    @Override
                    public void onFrame(NodeId peer, byte[] frame) {
                        throw new AssertionError("nobody sends to it");
                    }
                });
        opened.add(links);
        return links;
    }

    private static LinkLimits limits(int places, int handshakeMillis) {
        return new LinkLimits(1000, 10_000, places, handshakeMillis, 20, 200, 5_000);
    }

    private static Map<NodeId, PublicKey> keys() {
        Map<NodeId, PublicKey> keys = new HashMap<>();
        keys.put(SERVER, key(0).publicKey());
        for (int i = 0; i < PEERS; i++) {
            keys.put(NodeId.appserver(i), key(1 + i).publicKey());
        }
        return keys;
    }

    private static TlsIdentity key(int fill) {
        byte[] seed = new byte[32];
        Arrays.fill(seed, (byte) (fill + 1));
        return TlsIdentity.of(seed);
    }
}

package org.aspas.bftcluster.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import javax.net.ssl.SSLSocket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeLinksTest {
    private static final NodeId A = NodeId.appserver(0);
    private static final NodeId B = NodeId.bftserver(0);
    private static final TlsIdentity KEY_A = identity(1);
    private static final TlsIdentity KEY_B = identity(2);
    private static final TlsIdentity STRANGER = identity(3);
    private static final Map<NodeId, PublicKey> PEERS = Map.of(A, KEY_A.publicKey(), B, KEY_B.publicKey());
    private static final LinkLimits LIMITS = new LinkLimits(1000, 10_000, 8, 2_000, 20, 200, 1_000);
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final List<NodeLinks> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(NodeLinks::close);
    }

    @Test
    void framesTravelBothWaysInOrder() throws Exception {
        Recorder atA = new Recorder();
        Recorder atB = new Recorder();
        NodeLinks a = links(A, KEY_A, atA);
        NodeLinks b = links(B, KEY_B, atB);
        InetSocketAddress addressA = a.start();
        InetSocketAddress addressB = b.start();
        a.connect(B, addressB);
        b.connect(A, addressA);
        await().atMost(PATIENCE).until(() -> a.isConnected(B) && b.isConnected(A));
        for (int i = 0; i < 500; i++) {
            byte[] frame = ByteBuffer.allocate(8).putInt(i).array();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> a.send(B, frame));
        }
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(atB.frames).hasSize(500));
        for (int i = 0; i < 500; i++) {
            assertThat(ByteBuffer.wrap(atB.frames.get(i)).getInt()).isEqualTo(i);
        }
        assertThat(atB.senders).containsOnly(A);
        assertThat(b.send(A, new byte[1000])).isTrue();
        await().atMost(PATIENCE).until(() -> atA.frames.size() == 1);
        assertThat(atA.frames.get(0)).hasSize(1000);
        assertThat(b.counters().framesIn()).isEqualTo(500);
        assertThat(b.counters().bytesIn()).isEqualTo(4000);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(a.counters().framesOut()).isEqualTo(500));
    }

    /** The callback runs on the event loop that also writes: its frame must not pass those that another thread gave first. */
    @Test
    void framesOfManyThreadsLeaveInTheOrderInWhichTheyWereGiven() throws Exception {
        Recorder atB = new Recorder();
        NodeLinks b = links(B, KEY_B, atB);
        InetSocketAddress addressB = b.start();
        AtomicReference<NodeLinks> a = new AtomicReference<>();
        a.set(links(A, KEY_A, new Recorder() {
            @Override
            public void onConnected(NodeId peer) {
                CompletableFuture.runAsync(() -> sendRange(a.get(), 0, 10)).join();
                sendRange(a.get(), 10, 20);
            }
        }));
        a.get().connect(B, addressB);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(atB.frames).hasSize(20));
        assertThat(atB.frames.stream().map(frame -> (int) frame[0]))
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    }

    /** A paused peer waits, and nobody else does; what it sent meanwhile comes in order. */
    @Test
    void onePausedPeerWaitsAndNobodyElse() throws Exception {
        NodeId other = NodeId.appserver(7);
        TlsIdentity otherKey = identity(7);
        Map<NodeId, PublicKey> peers = Map.of(A, KEY_A.publicKey(), B, KEY_B.publicKey(), other, otherKey.publicKey());
        AtomicReference<NodeLinks> receiver = new AtomicReference<>();
        Recorder atB = new Recorder() {
            @Override
            public void onFrame(NodeId peer, byte[] frame) {
                super.onFrame(peer, frame);
                if (peer.equals(A) && frame[0] == 4) {
                    receiver.get().pause(peer);
                }
            }
        };
        receiver.set(new NodeLinks(B, KEY_B, peers, ANY, LIMITS, atB));
        opened.add(receiver.get());
        InetSocketAddress address = receiver.get().start();
        NodeLinks a = new NodeLinks(A, KEY_A, peers, ANY, LIMITS, new Recorder());
        opened.add(a);
        NodeLinks c = new NodeLinks(other, otherKey, peers, ANY, LIMITS, new Recorder());
        opened.add(c);
        a.connect(B, address);
        c.connect(B, address);
        await().atMost(PATIENCE).until(() -> a.isConnected(B) && c.isConnected(B));
        sendRange(a, 0, 100);
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 5);
        sendRange(c, 100, 120);
        await().atMost(PATIENCE).until(() -> atB.senders.contains(other) && atB.frames.size() == 25);
        assertThat(atB.senders.stream().filter(A::equals)).hasSize(5);
        receiver.get().resume(A);
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 120);
        assertThat(atB.frames.stream().map(frame -> (int) frame[0]).filter(first -> first < 100))
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    private static void sendRange(NodeLinks links, int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(links.send(B, new byte[] {(byte) i})).isTrue();
        }
    }

    @Test
    void aDiallerWithAForeignKeyIsRefused() throws Exception {
        Recorder atA = new Recorder();
        Recorder atStranger = new Recorder();
        NodeLinks a = links(A, KEY_A, atA);
        NodeLinks stranger = links(B, STRANGER, atStranger);
        stranger.connect(A, a.start());
        await().atMost(PATIENCE)
                .until(() -> a.counters().handshakesRejected() > 0
                        && stranger.counters().dialsFailed() > 0);
        assertThat(atStranger.connected).hasValue(0);
        assertThat(stranger.send(A, new byte[1])).isFalse();
        assertThat(stranger.counters().sendsRefused()).isEqualTo(1);
    }

    @Test
    void aListenerWithAForeignKeyIsRefused() throws Exception {
        Recorder atA = new Recorder();
        NodeLinks a = links(A, KEY_A, atA);
        NodeLinks stranger = links(B, STRANGER, new Recorder());
        a.connect(B, stranger.start());
        await().atMost(PATIENCE).until(() -> a.counters().dialsFailed() > 0);
        assertThat(atA.connected).hasValue(0);
        assertThat(a.isConnected(B)).isFalse();
    }

    @Test
    void aPeerUnderAnotherPeersAddressIsRefused() throws Exception {
        NodeLinks a = links(A, KEY_A, new Recorder());
        NodeLinks b = links(B, KEY_B, new Recorder());
        // Dials appserver-0 and finds bftserver-0, whose key is known but not the one that is expected there.
        a.connect(A, b.start());
        await().atMost(PATIENCE).until(() -> a.counters().dialsFailed() > 0);
        assertThat(a.isConnected(A)).isFalse();
    }

    @Test
    void garbageIsClosedAndCounted() throws Exception {
        NodeLinks a = links(A, KEY_A, new Recorder());
        InetSocketAddress address = a.start();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(drained(socket)).isTrue();
        }
        await().atMost(PATIENCE).until(() -> a.counters().handshakesRejected() == 1);
    }

    @Test
    void aSilentConnectionIsClosedAndCounted() throws Exception {
        NodeLinks a = links(A, KEY_A, new Recorder());
        InetSocketAddress address = a.start();
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(9_000);
            assertThat(drained(socket)).isTrue();
        }
        await().atMost(PATIENCE).until(() -> a.counters().handshakesRejected() == 1);
    }

    @Test
    void anOversizedFrameClosesTheConnectionAndIsCounted() throws Exception {
        for (int length : new int[] {1001, Integer.MAX_VALUE, -1}) {
            Recorder atA = new Recorder();
            NodeLinks a = links(A, KEY_A, atA);
            InetSocketAddress address = a.start();
            try (SSLSocket socket = (SSLSocket) KEY_B.contextFor(Set.of(KEY_A.publicKey()))
                    .getSocketFactory()
                    .createSocket(address.getAddress(), address.getPort())) {
                socket.setSoTimeout(5_000);
                socket.getOutputStream()
                        .write(ByteBuffer.allocate(8).putInt(length).array());
                assertThat(drained(socket)).isTrue();
            }
            await().atMost(PATIENCE).until(() -> a.counters().oversizedFrames() == 1);
            assertThat(atA.frames).isEmpty();
        }
    }

    @Test
    void aFrameAboveTheLimitIsNotSent() {
        NodeLinks a = links(A, KEY_A, new Recorder());
        assertThatThrownBy(() -> a.send(B, new byte[1001])).hasMessageContaining("1..1000 bytes, not 1001");
        assertThatThrownBy(() -> a.send(B, new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPortInUseIsNamed() throws Exception {
        NodeLinks a = links(A, KEY_A, new Recorder());
        InetSocketAddress taken = a.start();
        NodeLinks b = new NodeLinks(B, KEY_B, PEERS, taken, LIMITS, new Recorder());
        opened.add(b);
        assertThatThrownBy(b::start)
                .isInstanceOf(PortUnavailableException.class)
                .hasMessageContaining(taken.getHostString() + ":" + taken.getPort());
    }

    @Test
    void aPeerThatRestartsIsConnectedAgain() throws Exception {
        Recorder atA = new Recorder();
        NodeLinks a = links(A, KEY_A, atA);
        NodeLinks b = links(B, KEY_B, new Recorder());
        InetSocketAddress address = b.start();
        a.connect(B, address);
        await().atMost(PATIENCE).until(() -> a.isConnected(B));
        b.close();
        await().atMost(PATIENCE).until(() -> atA.disconnected.get() == 1);
        assertThat(a.send(B, new byte[1])).isFalse();
        Recorder again = new Recorder();
        NodeLinks second = new NodeLinks(B, KEY_B, PEERS, address, LIMITS, again);
        opened.add(second);
        second.start();
        await().atMost(PATIENCE).until(() -> atA.connected.get() == 2);
        assertThat(a.send(B, new byte[] {7})).isTrue();
        await().atMost(PATIENCE).until(() -> again.frames.size() == 1);
    }

    @Test
    void anIdleConnectionStaysUp() throws Exception {
        Recorder atA = new Recorder();
        impatient(atA, new Recorder());
        await().during(Duration.ofMillis(2_500)).until(() -> atA.disconnected.get() == 0);
    }

    @Test
    void aBusyConnectionStaysUp() throws Exception {
        Recorder atA = new Recorder();
        Recorder atB = new Recorder();
        NodeLinks a = impatient(atA, atB);
        await().during(Duration.ofMillis(2_500))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> a.send(B, new byte[1]) && atA.disconnected.get() == 0);
        assertThat(atB.frames).hasSizeGreaterThan(2);
    }

    /** Connects A to B, where either side gives up after 1.5 s of silence. */
    private NodeLinks impatient(Recorder atA, Recorder atB) throws Exception {
        LinkLimits impatient = new LinkLimits(1000, 10_000, 8, 2_000, 20, 200, 500);
        NodeLinks a = new NodeLinks(A, KEY_A, PEERS, ANY, impatient, atA);
        NodeLinks b = new NodeLinks(B, KEY_B, PEERS, ANY, impatient, atB);
        opened.addAll(List.of(a, b));
        a.connect(B, b.start());
        await().atMost(PATIENCE).until(() -> a.isConnected(B));
        return a;
    }

    @Test
    void twoPeersWithOneKeyAreRefused() {
        assertThatThrownBy(() -> new NodeLinks(
                        A, KEY_A, Map.of(A, KEY_A.publicKey(), B, KEY_A.publicKey()), ANY, LIMITS, new Recorder()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private NodeLinks links(NodeId self, TlsIdentity identity, LinkListener listener) {
        NodeLinks links = new NodeLinks(self, identity, PEERS, ANY, LIMITS, listener);
        opened.add(links);
        return links;
    }

    private static TlsIdentity identity(int fill) {
        byte[] seed = new byte[32];
        Arrays.fill(seed, (byte) fill);
        return TlsIdentity.of(seed);
    }

    /** Reads to the end of the stream, which a reset ends too; false when the other side keeps it open. */
    private static boolean drained(Socket socket) {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private static class Recorder implements LinkListener {
        final AtomicInteger connected = new AtomicInteger();
        final AtomicInteger disconnected = new AtomicInteger();
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        final List<NodeId> senders = new CopyOnWriteArrayList<>();

        @Override
        public void onConnected(NodeId peer) {
            connected.incrementAndGet();
        }

        @Override
        public void onDisconnected(NodeId peer) {
            disconnected.incrementAndGet();
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            frames.add(frame);
            senders.add(peer);
        }
    }
}

package org.aspas.bftcluster.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.TlsIdentity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is asked of a delay holds from below; how late frames are depends on the machine. */
class LinkDelayTest {
    private static final NodeId A = NodeId.appserver(0);
    private static final NodeId B = NodeId.bftserver(0);
    private static final TlsIdentity KEY_A = identity(1);
    private static final TlsIdentity KEY_B = identity(2);
    private static final Map<NodeId, PublicKey> PEERS = Map.of(A, KEY_A.publicKey(), B, KEY_B.publicKey());
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    /** Either side gives up after 1.5 s of silence. */
    private static final LinkLimits LIMITS = new LinkLimits(1000, 10_000, 8, 2_000, 20, 200, 500);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Arrivals atA = new Arrivals();
    private final Arrivals atB = new Arrivals();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    @Test
    void framesTakeTheirTimeAndKeepTheirOrder() throws Exception {
        ScriptedDelay delay = delay(bytes -> bytes % 2 == 0 ? 60 : 30);
        NodeLinks a = connected(delay);
        long[] sent = new long[100];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = System.nanoTime();
            assertThat(a.send(B, new byte[i + 1])).isTrue();
        }
        await().atMost(PATIENCE).until(() -> atB.frames.size() == sent.length);
        for (int i = 0; i < sent.length; i++) {
            assertThat(atB.frames.get(i)).hasSize(i + 1);
            long asked = TimeUnit.MILLISECONDS.toNanos(i % 2 == 1 ? 60 : 30);
            assertThat(atB.moments.get(i) - sent[i]).as("frame " + i).isGreaterThanOrEqualTo(asked);
        }
        assertThat(delay.latenesses).hasSize(sent.length).allMatch(late -> late >= 0);
    }

    @Test
    void framesOfManyThreadsAreDelayedAndNoneIsLost() throws Exception {
        NodeLinks a = connected(delay(bytes -> 10));
        CompletableFuture<?>[] senders = IntStream.range(0, 4)
                .mapToObj(sender -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 50; i++) {
                        assertThat(a.send(B, new byte[] {(byte) sender, (byte) i}))
                                .isTrue();
                    }
                }))
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(senders).join();
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 200);
        for (int sender = 0; sender < 4; sender++) {
            int from = sender;
            assertThat(atB.frames.stream()
                            .filter(frame -> frame[0] == from)
                            .map(frame -> (int) frame[1])
                            .toList())
                    .isEqualTo(IntStream.range(0, 50).boxed().toList());
        }
    }

    @Test
    void whatIsOnItsWayCountsAgainstTheBound() throws Exception {
        NodeLinks a = connected(delay(bytes -> 2_000));
        for (int i = 0; i < 9; i++) {
            assertThat(a.send(B, new byte[1000])).isTrue();
        }
        assertThat(a.send(B, new byte[1000])).isFalse();
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 9);
        await().atMost(PATIENCE).until(() -> a.send(B, new byte[1000]));
    }

    @Test
    void aShortCutHoldsFramesBackAndLosesNone() throws Exception {
        ScriptedDelay delay = delay(bytes -> 0);
        NodeLinks a = connected(delay);
        delay.cut = true;
        for (int i = 1; i <= 20; i++) {
            assertThat(a.send(B, new byte[i])).isTrue();
        }
        await().during(Duration.ofMillis(200)).until(atB.frames::isEmpty);
        delay.cut = false;
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 20);
        assertThat(atB.frames.stream().map(frame -> frame.length).toList())
                .isEqualTo(IntStream.rangeClosed(1, 20).boxed().toList());
        assertThat(atA.disconnected).hasValue(0);
    }

    @Test
    void aCutThatLastsEndsTheConnectionAndItComesBackAfterwards() throws Exception {
        ScriptedDelay delay = delay(bytes -> 0);
        NodeLinks a = connected(delay);
        delay.cut = true;
        await().atMost(PATIENCE).until(() -> atA.disconnected.get() == 1);
        assertThat(a.send(B, new byte[1])).isFalse();
        await().atMost(PATIENCE).until(() -> a.counters().dialsFailed() > 2);
        assertThat(a.isConnected(B)).isFalse();
        delay.cut = false;
        await().atMost(PATIENCE).until(() -> a.isConnected(B));
        assertThat(a.send(B, new byte[7])).isTrue();
        await().atMost(PATIENCE).until(() -> atB.frames.size() == 1);
    }

    /** The dialler's own way is open: it gives up because nobody answers. */
    @Test
    void whoeverIsCutOffDoesNotAnswer() throws Exception {
        ScriptedDelay delay = delay(bytes -> 0);
        NodeLinks b = links(B, KEY_B, atB, delay);
        NodeLinks a = links(A, KEY_A, atA, null);
        a.connect(B, b.start());
        await().atMost(PATIENCE).until(() -> a.isConnected(B));
        delay.cut = true;
        await().atMost(PATIENCE).until(() -> atA.disconnected.get() == 1);
    }

    /** A is connected to B and delays what it sends. */
    private NodeLinks connected(ScriptedDelay delay) throws Exception {
        NodeLinks a = links(A, KEY_A, atA, delay);
        NodeLinks b = links(B, KEY_B, atB, null);
        a.connect(B, b.start());
        await().atMost(PATIENCE).until(() -> a.isConnected(B));
        return a;
    }

    private ScriptedDelay delay(IntToLongFunction millisByBytes) {
        ScriptedDelay delay = new ScriptedDelay(millisByBytes);
        opened.add(delay);
        return delay;
    }

    private NodeLinks links(NodeId self, TlsIdentity identity, LinkListener listener, ScriptedDelay delay) {
        NodeLinks links = new NodeLinks(self, identity, PEERS, ANY, LIMITS, listener, delay);
        opened.add(0, links);
        return links;
    }

    private static TlsIdentity identity(int fill) {
        byte[] seed = new byte[32];
        Arrays.fill(seed, (byte) fill);
        return TlsIdentity.of(seed);
    }

    private static final class Arrivals implements LinkListener {
        final AtomicInteger disconnected = new AtomicInteger();
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        final List<Long> moments = new CopyOnWriteArrayList<>();

        @Override
        public void onConnected(NodeId peer) {
            // Asked of the links.
        }

        @Override
        public void onDisconnected(NodeId peer) {
            disconnected.incrementAndGet();
        }

        @Override
        public void onFrame(NodeId peer, byte[] frame) {
            moments.add(System.nanoTime());
            frames.add(frame);
        }
    }
}

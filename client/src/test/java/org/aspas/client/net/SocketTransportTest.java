package org.aspas.client.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The other end is a plain socket, which the test drives. */
@Timeout(240)
class SocketTransportTest {
    private static final int MAX_FRAME = 200_000;
    private static final int MAX_QUEUED = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CONNECT = Duration.ofSeconds(30);

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            2, new DefaultThreadFactory("socket-transport-test", true), NioIoHandler.newFactory());
    private final Recorder recorder = new Recorder();
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private ServerSocket listening;

    @BeforeEach
    void listen() throws IOException {
        listening = closedLater(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        listening.setSoTimeout((int) PATIENCE.toMillis());
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : toClose) {
            one.close();
        }
        assertThat(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(60, TimeUnit.SECONDS))
                .isTrue();
        recorder.assertInOrder();
    }

    private <T extends AutoCloseable> T closedLater(T one) {
        toClose.add(one);
        return one;
    }

    /** Remembers what it heard, and whether anything came at the wrong time. */
    private static class Recorder implements Transport.Listener {
        final CountDownLatch connected = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        final List<String> closed = new CopyOnWriteArrayList<>();
        final AtomicBoolean busy = new AtomicBoolean();
        final List<String> wrong = new CopyOnWriteArrayList<>();

        @Override
        public void connected() {
            alone("connected", () -> {
                if (connected.getCount() == 0 || !frames.isEmpty()) {
                    wrong.add("connected late or twice");
                }
                connected.countDown();
            });
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            alone("received", () -> {
                if (connected.getCount() > 0) {
                    wrong.add("received before connected");
                }
                frames.add(frame);
                took(consumed);
            });
        }

        void took(Runnable consumed) {
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            alone("closed", () -> closed.add(reason));
            ended.countDown();
        }

        private void alone(String what, Runnable step) {
            if (!busy.compareAndSet(false, true)) {
                wrong.add(what + " during another call");
            }
            if (!closed.isEmpty()) {
                wrong.add(what + " after closed");
            }
            step.run();
            busy.set(false);
        }

        void assertInOrder() {
            assertThat(wrong).isEmpty();
        }

        String awaitClosed() throws InterruptedException {
            assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return closed.get(0);
        }
    }

    /** Keeps what is to be run once a frame is consumed. */
    private static final class Slow extends Recorder {
        final BlockingQueue<Runnable> unconsumed = new LinkedBlockingQueue<>();

        @Override
        void took(Runnable consumed) {
            unconsumed.add(consumed);
        }
    }

    /** The server's end of one connection. */
    private record Peer(Socket socket, DataInputStream in, DataOutputStream out) {
        /** Takes the next connection, and its preface. */
        static Peer accepted(ServerSocket listening) throws IOException {
            Socket socket = listening.accept();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            Peer peer = new Peer(
                    socket,
                    new DataInputStream(socket.getInputStream()),
                    new DataOutputStream(socket.getOutputStream()));
            assertThat(peer.in.readNBytes(8)).isEqualTo("ASPAS/1\n".getBytes(US_ASCII));
            return peer;
        }

        byte[] read() throws IOException {
            return in.readNBytes(in.readInt());
        }

        void send(byte[] frame) throws IOException {
            out.write(onTheWire(frame));
        }
    }

    private static byte[] onTheWire(byte[] frame) {
        return ByteBuffer.allocate(4 + frame.length)
                .putInt(frame.length)
                .put(frame)
                .array();
    }

    private static byte[] numbered(int number, int bytes) {
        return ByteBuffer.allocate(bytes).putInt(number).array();
    }

    private SocketTransport transport(int port, Duration connectTimeout, int maxQueued) {
        return new SocketTransport(
                loops, InetSocketAddress.createUnresolved("127.0.0.1", port), connectTimeout, MAX_FRAME, maxQueued);
    }

    private Transport.Connection connect(Transport.Listener listener) {
        return transport(listening.getLocalPort(), CONNECT, MAX_QUEUED).connect(listener);
    }

    private Peer accept() throws IOException {
        Peer peer = Peer.accepted(listening);
        closedLater(peer.socket());
        return peer;
    }

    private static void awaitConnected(Recorder listener) throws InterruptedException {
        assertThat(listener.connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    private static void awaitFrames(Recorder listener, int count) {
        await().atMost(PATIENCE).until(() -> listener.frames.size() >= count);
        assertThat(listener.frames).hasSize(count);
    }

    @Test
    void carriesFramesOfAllSizesBothWaysInOrder() throws Exception {
        Transport.Connection connection = connect(recorder);
        Peer peer = accept();
        awaitConnected(recorder);
        for (int i = 1; i <= 300; i++) {
            connection.send(numbered(i, 3 + i));
        }
        connection.send(numbered(301, MAX_FRAME));
        for (int i = 1; i <= 301; i++) {
            byte[] frame = peer.read();
            assertThat(frame).isEqualTo(numbered(i, i == 301 ? MAX_FRAME : 3 + i));
            peer.send(frame);
        }
        awaitFrames(recorder, 301);
        for (int i = 1; i <= 301; i++) {
            assertThat(recorder.frames.get(i - 1)).isEqualTo(numbered(i, i == 301 ? MAX_FRAME : 3 + i));
        }
        connection.close();
        connection.close();
        connection.send(new byte[1]);
        assertThat(recorder.awaitClosed()).isEqualTo("closed by this client");
        assertThat(peer.in.read()).isEqualTo(-1);
    }

    @Test
    void anAnswerThatIsSentAtOnceLeavesAtOnce() throws Exception {
        CompletableFuture<Transport.Connection> connection = new CompletableFuture<>();
        Recorder echo = new Recorder() {
            @Override
            public void received(byte[] frame, Runnable consumed) {
                connection.join().send(frame);
                super.received(frame, consumed);
            }
        };
        connection.complete(connect(echo));
        Peer peer = accept();
        for (int i = 0; i < 500; i++) {
            peer.send(numbered(i, 40));
            assertThat(peer.read()).isEqualTo(numbered(i, 40));
        }
        echo.assertInOrder();
    }

    @Test
    void framesOfSeveralThreadsArriveWholeAndEachThreadsInOrder() throws Exception {
        int threads = 4;
        int each = 5_000;
        Transport.Connection connection =
                transport(listening.getLocalPort(), CONNECT, threads * each).connect(recorder);
        Peer peer = accept();
        awaitConnected(recorder);
        for (int thread = 0; thread < threads; thread++) {
            int mine = thread;
            var unused = start(() -> {
                for (int i = 0; i < each; i++) {
                    connection.send(ByteBuffer.allocate(8 + i % 50)
                            .putInt(mine)
                            .putInt(i)
                            .array());
                }
            });
        }
        int[] next = new int[threads];
        for (int i = 0; i < threads * each; i++) {
            ByteBuffer frame = ByteBuffer.wrap(peer.read());
            int number = next[frame.getInt()]++;
            assertThat(frame.getInt()).isEqualTo(number);
            assertThat(frame.remaining()).isEqualTo(number % 50);
        }
        assertThat(next).containsOnly(each);
        assertThat(recorder.closed).isEmpty();
    }

    /** What a thread of the other end, or of the client, does. */
    private interface Work {
        void run() throws Exception;
    }

    /** Runs on a thread that does not keep the process alive. */
    private static CompletableFuture<Void> start(Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                        done.complete(null);
                    } catch (Exception | Error failure) {
                        done.completeExceptionally(failure);
                    }
                },
                "socket-transport-test");
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    @Test
    void ignoresEmptyFrames() throws Exception {
        connect(recorder);
        Peer peer = accept();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(onTheWire(new byte[0]));
        bytes.writeBytes(onTheWire(new byte[] {1}));
        bytes.writeBytes(onTheWire(new byte[0]));
        bytes.writeBytes(onTheWire(new byte[0]));
        bytes.writeBytes(onTheWire(new byte[] {2, 3}));
        peer.out.write(bytes.toByteArray());
        awaitFrames(recorder, 2);
        assertThat(recorder.frames).containsExactly(new byte[] {1}, new byte[] {2, 3});
    }

    @Test
    void joinsFramesWhoseBytesArriveOneAtATime() throws Exception {
        connect(recorder);
        Peer peer = accept();
        awaitConnected(recorder);
        for (int length : new int[] {1, 300, 0, 7}) {
            for (byte each : onTheWire(new byte[length])) {
                peer.out.write(each);
            }
        }
        awaitFrames(recorder, 3);
        assertThat(recorder.frames).extracting(frame -> frame.length).containsExactly(1, 300, 7);
    }

    /** The last length is negative for whoever forgets that it has no sign. */
    @ParameterizedTest
    @CsvSource({"200001", "2147483647", "-1"})
    void aFrameThatIsTooLongEndsTheConnection(int length) throws Exception {
        connect(recorder);
        Peer peer = accept();
        peer.out.write(
                ByteBuffer.allocate(9).putInt(1).put((byte) 5).putInt(length).array());
        assertThat(recorder.awaitClosed()).isEqualTo("the server sent a frame of more than 200000 bytes");
        assertThat(recorder.frames).containsExactly(new byte[] {5});
        assertThat(peer.in.read()).isEqualTo(-1);
    }

    @Test
    void saysThatTheServerClosedAndDeliversWhatCameBefore() throws Exception {
        Transport.Connection connection = connect(recorder);
        Peer peer = accept();
        peer.send(new byte[] {1});
        peer.send(new byte[] {2});
        peer.socket.close();
        assertThat(recorder.awaitClosed()).isEqualTo("the server closed the connection");
        assertThat(recorder.frames).containsExactly(new byte[] {1}, new byte[] {2});
        connection.send(new byte[1]);
        connection.close();
    }

    @Test
    void aBrokenConnectionIsHeardOfOnce() throws Exception {
        Transport.Connection connection = connect(recorder);
        Peer peer = accept();
        awaitConnected(recorder);
        peer.socket.setSoLinger(true, 0);
        peer.socket.close();
        await().atMost(PATIENCE).until(() -> {
            connection.send(new byte[1]);
            return !recorder.closed.isEmpty();
        });
        assertThat(recorder.awaitClosed()).containsAnyOf("reset", "sending failed", "the server closed");
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        int port = listening.getLocalPort();
        listening.close();
        transport(port, CONNECT, MAX_QUEUED).connect(recorder);
        assertThat(recorder.awaitClosed()).isEqualTo("127.0.0.1:" + port + ": connection refused");
        assertThat(recorder.connected.getCount()).isEqualTo(1);
    }

    @Test
    void saysThatAHostIsUnknown() throws Exception {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
        new SocketTransport(loops, nowhere, CONNECT, MAX_FRAME, MAX_QUEUED).connect(recorder);
        assertThat(recorder.awaitClosed()).isEqualTo("nowhere.invalid:1: unknown host");
    }

    @Test
    void resolvesTheNameOfTheServer() throws Exception {
        InetSocketAddress named = InetSocketAddress.createUnresolved("localhost", listening.getLocalPort());
        new SocketTransport(loops, named, CONNECT, MAX_FRAME, MAX_QUEUED).connect(recorder);
        accept();
        awaitConnected(recorder);
    }

    @Test
    void aServerThatTakesNoMoreConnectionsIsCutOffAfterTheTimeout() throws Exception {
        ServerSocket full = closedLater(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        fill(full);
        long start = System.nanoTime();
        transport(full.getLocalPort(), Duration.ofMillis(300), MAX_QUEUED).connect(recorder);
        assertThat(recorder.awaitClosed())
                .isEqualTo("127.0.0.1:%d: no connection in time: its host is down or cut off", full.getLocalPort());
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(290), PATIENCE);
    }

    /** Connects to a socket that nobody accepts from, until there is no place left. */
    private void fill(ServerSocket full) throws IOException {
        for (int i = 0; i < 10; i++) {
            Socket filler = closedLater(new Socket());
            try {
                filler.connect(full.getLocalSocketAddress(), 2000);
            } catch (SocketTimeoutException noPlace) {
                return;
            }
        }
        throw new AssertionError("there is always a place");
    }

    @Test
    void closesWhenTooMuchWaitsForAPeerThatDoesNotRead() throws Exception {
        int most = 20;
        Transport.Connection connection =
                transport(listening.getLocalPort(), CONNECT, most).connect(recorder);
        accept();
        awaitConnected(recorder);
        byte[] frame = new byte[MAX_FRAME];
        for (int i = 0; i < 10_000 && recorder.closed.isEmpty(); i++) {
            connection.send(frame);
        }
        assertThat(recorder.awaitClosed()).isEqualTo("more than " + most + " frames wait to be sent");
    }

    /** As many as may wait are all sent, and later ones again when there is room. */
    @Test
    void aFullQueueIsNotTooMuch() throws Exception {
        int most = 20;
        Transport.Connection connection =
                transport(listening.getLocalPort(), CONNECT, most).connect(recorder);
        Peer peer = accept();
        awaitConnected(recorder);
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < most / 2; i++) {
                connection.send(numbered(i, MAX_FRAME));
            }
            for (int i = 0; i < most / 2; i++) {
                assertThat(peer.read()).isEqualTo(numbered(i, MAX_FRAME));
            }
        }
        assertThat(recorder.closed).isEmpty();
    }

    /** Of frames that nobody consumes, two of the largest come, and so many small ones. */
    @ParameterizedTest
    @CsvSource({"200000, 1", "150000, 2", "10, 64"})
    void readsNoFurtherWhileTooMuchIsNotConsumed(int bytes, int ahead) throws Exception {
        Slow slow = new Slow();
        Transport.Connection connection = connect(slow);
        Peer peer = accept();
        int all = ahead + 80;
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < all; i++) {
            together.writeBytes(onTheWire(numbered(i, bytes)));
        }
        CompletableFuture<Void> sent = start(() -> {
            peer.out.write(together.toByteArray());
            peer.socket.shutdownOutput();
        });
        await().atMost(PATIENCE)
                .during(Duration.ofMillis(300))
                .failFast(() -> assertThat(slow.frames).hasSizeLessThanOrEqualTo(ahead))
                .until(() -> slow.frames.size() == ahead);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
            assertThat(slow.unconsumed).hasSizeLessThanOrEqualTo(ahead);
            Runnable next = slow.unconsumed.poll();
            if (next != null) {
                next.run();
            }
            return slow.frames.size() == all;
        });
        for (int i = 0; i < all; i++) {
            assertThat(slow.frames.get(i)).isEqualTo(numbered(i, bytes));
        }
        sent.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        while (!slow.unconsumed.isEmpty()) {
            slow.unconsumed.remove().run();
        }
        assertThat(slow.awaitClosed()).isEqualTo("the server closed the connection");
        connection.close();
        slow.assertInOrder();
    }

    @Test
    void whatIsConsumedOnOtherThreadsKeepsTheFramesComing() throws Exception {
        int all = 20_000;
        AtomicInteger consumed = new AtomicInteger();
        Slow slow = new Slow();
        connect(slow);
        Peer peer = accept();
        for (int thread = 0; thread < 2; thread++) {
            var unused = start(() -> {
                while (true) {
                    slow.unconsumed.take().run();
                    consumed.incrementAndGet();
                }
            });
        }
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < all; i++) {
            together.writeBytes(onTheWire(numbered(i, 20)));
        }
        var unused = start(() -> peer.out.write(together.toByteArray()));
        await().atMost(PATIENCE).until(() -> consumed.get() == all);
        assertThat(slow.frames.get(all - 1)).isEqualTo(numbered(all - 1, 20));
        slow.assertInOrder();
    }

    @Test
    void closedByItsListenerNothingMoreIsDelivered() throws Exception {
        CompletableFuture<Transport.Connection> connection = new CompletableFuture<>();
        Recorder closing = new Recorder() {
            @Override
            void took(Runnable consumed) {
                consumed.run();
                connection.join().close();
            }
        };
        connection.complete(connect(closing));
        Peer peer = accept();
        ByteArrayOutputStream together = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            together.writeBytes(onTheWire(numbered(i, 10)));
        }
        peer.out.write(together.toByteArray());
        assertThat(closing.awaitClosed()).isEqualTo("closed by this client");
        assertThat(closing.frames).hasSize(1);
        closing.assertInOrder();
    }

    @Test
    void closedBeforeItIsConnectedItIsClosedOnce() throws Exception {
        ServerSocket full = closedLater(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        fill(full);
        Transport.Connection connection =
                transport(full.getLocalPort(), CONNECT, MAX_QUEUED).connect(recorder);
        assertThatThrownBy(() -> connection.send(new byte[1])).isInstanceOf(IllegalStateException.class);
        connection.close();
        assertThat(recorder.awaitClosed()).isEqualTo("closed by this client");
        connection.send(new byte[1]);
        assertThat(recorder.connected.getCount()).isEqualTo(1);
    }

    /** Whoever comes first, the listener hears of one end, last. */
    @Test
    void closedByBothEndsAndTwoThreadsItIsClosedOnce() throws Exception {
        for (int i = 0; i < 100; i++) {
            Recorder listener = new Recorder();
            Transport.Connection connection = connect(listener);
            if (i % 4 == 0) {
                connection.close();
                assertThat(listener.awaitClosed()).isEqualTo("closed by this client");
                listener.assertInOrder();
                continue;
            }
            Peer peer = nextWithPreface();
            awaitConnected(listener);
            CompletableFuture<Void> sending = start(() -> {
                for (int frame = 0; frame < 20; frame++) {
                    connection.send(new byte[10]);
                }
            });
            CompletableFuture<Void> one = start(connection::close);
            peer.send(new byte[10]);
            peer.socket.close();
            connection.close();
            CompletableFuture.allOf(sending, one).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            listener.awaitClosed();
            listener.assertInOrder();
            assertThat(listener.closed).hasSize(1);
        }
    }

    /** The next connection that was not closed before it said anything. */
    private Peer nextWithPreface() throws IOException {
        for (int i = 0; i < 100; i++) {
            try {
                return accept();
            } catch (SocketException | AssertionError closedEarly) {
                // The client gave it up.
            }
        }
        throw new AssertionError("no connection stays");
    }

    @Test
    void withoutEventLoopsItIsClosedAtOnce() throws Exception {
        assertThat(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(60, TimeUnit.SECONDS))
                .isTrue();
        connect(recorder);
        assertThat(recorder.awaitClosed()).contains("event loops");
    }

    @Test
    void loopsThatEndCloseTheirConnections() throws Exception {
        Transport.Connection connection = connect(recorder);
        accept();
        awaitConnected(recorder);
        assertThat(loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(60, TimeUnit.SECONDS))
                .isTrue();
        assertThat(recorder.awaitClosed()).isNotEmpty();
        connection.close();
    }
}

package org.aspas.client.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.client.BareWebSocketServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportTest {
    private static final int MAX_FRAME = 200_000;
    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final HttpClient http = HttpClient.newHttpClient();

    private static final class Recorder implements Transport.Listener {
        final CountDownLatch connected = new CountDownLatch(1);
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        final List<String> closed = new CopyOnWriteArrayList<>();

        @Override
        public void connected() {
            connected.countDown();
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            frames.add(frame);
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            closed.add(reason);
        }
    }

    /** Keeps what is to be run once a frame is consumed. */
    private static final class Slow implements Transport.Listener {
        final CountDownLatch connected = new CountDownLatch(1);
        final AtomicInteger frames = new AtomicInteger();
        final Queue<Runnable> unconsumed = new ConcurrentLinkedQueue<>();

        @Override
        public void connected() {
            connected.countDown();
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            unconsumed.add(consumed);
            frames.incrementAndGet();
        }

        @Override
        public void closed(String reason) {
            // The test ends.
        }
    }

    /** Of frames that nobody consumes, two of the largest come, and so many small ones. */
    @ParameterizedTest
    @CsvSource({"200000, 1", "150000, 2", "10, 64"})
    void readsNoFurtherWhileTooMuchIsNotConsumed(int bytes, int ahead) throws Exception {
        try (BareWebSocketServer server = echo()) {
            Slow slow = new Slow();
            Transport.Connection connection = transport(uri(server)).connect(slow);
            assertThat(slow.connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            int all = ahead + 10;
            for (int i = 0; i < all; i++) {
                connection.send(new byte[bytes]);
            }
            await().atMost(PATIENCE)
                    .during(Duration.ofMillis(300))
                    .failFast(() -> assertThat(slow.frames.get()).isLessThanOrEqualTo(ahead))
                    .until(() -> slow.frames.get() == ahead);
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
                Runnable next = slow.unconsumed.poll();
                if (next != null) {
                    next.run();
                }
                assertThat(slow.unconsumed).hasSizeLessThanOrEqualTo(ahead);
                return slow.frames.get() == all;
            });
            connection.close();
        }
    }

    private WebSocketTransport transport(URI uri) {
        return new WebSocketTransport(http, uri, Duration.ofSeconds(5), MAX_FRAME, 1000);
    }

    private static BareWebSocketServer echo() throws IOException {
        return new BareWebSocketServer(BareWebSocketServer.Peer::sendInTwo);
    }

    private static URI uri(BareWebSocketServer server) {
        return URI.create("ws://127.0.0.1:" + server.port() + "/v1/session");
    }

    @Test
    void carriesFramesInOrderAndJoinsFragments() throws Exception {
        try (BareWebSocketServer server = echo()) {
            Recorder recorder = new Recorder();
            Transport.Connection connection = transport(uri(server)).connect(recorder);
            assertThat(recorder.connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            for (int i = 0; i < 300; i++) {
                connection.send(new byte[i]);
            }
            connection.send(new byte[MAX_FRAME]);
            await().atMost(PATIENCE).until(() -> recorder.frames.size() == 301);
            for (int i = 0; i < 300; i++) {
                assertThat(recorder.frames.get(i)).hasSize(i);
            }
            assertThat(recorder.frames.get(300)).hasSize(MAX_FRAME);
            connection.close();
            connection.close();
            connection.send(new byte[1]);
            assertThat(recorder.closed).containsExactly("closed by this client");
        }
    }

    @Test
    void refusesFramesThatAreTooLarge() throws Exception {
        try (BareWebSocketServer server = echo()) {
            Recorder recorder = new Recorder();
            Transport.Connection connection = transport(uri(server)).connect(recorder);
            assertThat(recorder.connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            connection.send(new byte[MAX_FRAME + 1]);
            await().atMost(PATIENCE).until(() -> recorder.closed.size() == 1);
            assertThat(recorder.closed.get(0)).contains("more than " + MAX_FRAME);
            assertThat(recorder.frames).isEmpty();
        }
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        int port;
        try (ServerSocket unused = new ServerSocket(0)) {
            port = unused.getLocalPort();
        }
        Recorder recorder = new Recorder();
        transport(URI.create("ws://127.0.0.1:" + port + "/v1/session")).connect(recorder);
        await().atMost(PATIENCE).until(() -> recorder.closed.size() == 1);
        assertThat(recorder.closed.get(0)).contains("connection refused");
    }

    @Test
    void delaysBothDirectionsInOrder() throws Exception {
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(3);
        try (BareWebSocketServer server = echo()) {
            Recorder recorder = new Recorder();
            Transport delayed = new DelayedTransport(
                    transport(uri(server)), new RoundTripDelay(Duration.ofMillis(60), scheduler), scheduler, 1000);
            Transport.Connection connection = delayed.connect(recorder);
            assertThat(recorder.connected.await(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            long start = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                connection.send(new byte[i]);
            }
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> !recorder.frames.isEmpty());
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000L);
            await().atMost(PATIENCE).until(() -> recorder.frames.size() == 200);
            for (int i = 0; i < 200; i++) {
                assertThat(recorder.frames.get(i)).hasSize(i);
            }
            connection.close();
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void aMailboxRunsOneTaskAtATimeInOrder() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            SerialExecutor mailbox = new SerialExecutor(pool);
            List<Integer> order = new ArrayList<>();
            CountDownLatch done = new CountDownLatch(1);
            for (int i = 0; i < 10_000; i++) {
                int number = i;
                mailbox.execute(() -> order.add(number));
            }
            mailbox.execute(done::countDown);
            assertThat(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(order).hasSize(10_000).isSorted();
            assertThat(mailbox.isCurrent()).isFalse();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aMailboxRunsATaskHereWhenItIsIdleAndInOrderElse() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        try {
            SerialExecutor mailbox = new SerialExecutor(pool);
            List<Thread> ran = new ArrayList<>();
            mailbox.executeHere(() -> ran.add(Thread.currentThread()));
            assertThat(ran).containsExactly(Thread.currentThread());

            List<Integer> order = new ArrayList<>();
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch queued = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            mailbox.execute(() -> {
                begun.countDown();
                try {
                    queued.await();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
                order.add(0);
            });
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            for (int i = 1; i <= 1_000; i++) {
                int number = i;
                mailbox.executeHere(() -> order.add(number));
            }
            mailbox.executeHere(done::countDown);
            assertThat(order).isEmpty();
            queued.countDown();
            assertThat(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(order).hasSize(1_001).isSorted();
        } finally {
            pool.shutdownNow();
        }
    }
}

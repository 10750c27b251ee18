package org.aspas.client.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayedTransportTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MOST = 30;

    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(3);
    private final Mirror mirror = new Mirror();
    private final Client client = new Client();
    private final Gate toServer = new Gate();
    private final Gate toClient = new Gate();
    private final TransportDelay gates = new TransportDelay() {
        @Override
        public Way toServer() {
            return toServer;
        }

        @Override
        public Way toClient() {
            return toClient;
        }
    };

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void aShortCutHoldsFramesBackInBothDirectionsAndLosesNone() {
        Transport.Connection connection = connect();
        toServer.cut = true;
        for (int i = 1; i <= 10; i++) {
            connection.send(new byte[i]);
        }
        await().during(Duration.ofMillis(200)).until(mirror.frames::isEmpty);
        toClient.cut = true;
        toServer.cut = false;
        await().atMost(PATIENCE).until(() -> mirror.frames.size() == 10);
        await().during(Duration.ofMillis(200)).until(client.frames::isEmpty);
        toClient.cut = false;
        await().atMost(PATIENCE).until(() -> client.frames.size() == 10);
        assertThat(client.frames.stream().map(frame -> frame.length).toList())
                .isEqualTo(IntStream.rangeClosed(1, 10).boxed().toList());
        assertThat(toServer.latenesses).hasSize(10).allMatch(late -> late >= 0);
    }

    @Test
    void aConnectionWithTooMuchOnItsWayIsClosed() {
        Transport.Connection connection = connect();
        toServer.cut = true;
        for (int i = 0; i < MOST; i++) {
            connection.send(new byte[1]);
        }
        assertThat(mirror.closed).isFalse();
        connection.send(new byte[1]);
        assertThat(mirror.closed).isTrue();
    }

    private Transport.Connection connect() {
        Transport.Connection connection = new DelayedTransport(mirror, gates, threads, MOST).connect(client);
        await().atMost(PATIENCE).until(() -> client.connected);
        return connection;
    }

    /** Open or cut, without delay. */
    private final class Gate implements TransportDelay.Way {
        final List<Long> latenesses = new CopyOnWriteArrayList<>();
        volatile boolean cut;

        @Override
        public long due(long sent, int bytes) {
            return sent;
        }

        @Override
        public long open(long now) {
            return cut ? now + TimeUnit.MILLISECONDS.toNanos(5) : now;
        }

        @Override
        public void left(long sent, long due, long now) {
            latenesses.add(now - due);
        }

        @Override
        public void wake(long moment, Runnable task) {
            var unused = threads.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
        }
    }

    /** Sends back what it gets, on the calling thread. */
    private static final class Mirror implements Transport {
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        volatile boolean closed;

        @Override
        public Connection connect(Listener listener) {
            listener.connected();
            return new Connection() {
                @Override
                public void send(byte[] frame) {
                    frames.add(frame);
                    listener.received(frame, () -> {});
                }

                @Override
                public void close() {
                    closed = true;
                }
            };
        }
    }

    private static final class Client implements Transport.Listener {
        final List<byte[]> frames = new CopyOnWriteArrayList<>();
        volatile boolean connected;

        @Override
        public void connected() {
            connected = true;
        }

        @Override
        public void received(byte[] frame, Runnable consumed) {
            frames.add(frame);
            consumed.run();
        }

        @Override
        public void closed(String reason) {
            // The test ends.
        }
    }
}

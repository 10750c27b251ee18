package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.ActorSystem;
import akka.http.javadsl.model.ws.BinaryMessage;
import akka.http.javadsl.model.ws.Message;
import akka.stream.Materializer;
import akka.stream.javadsl.Keep;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.net.Conversations;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What waits for the core is bounded in bytes, for all clients together, and nothing is lost by that. */
class IncomingFramesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int FRAME = 1_000;
    private static final int MOST = 10 * FRAME;
    private static final int CLIENTS = 20;
    private static final int FRAMES = 30;
    private static ActorSystem system;

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicLong[] newest = new AtomicLong[CLIENTS + 1];
    private final Queue<CompletableFuture<Object>> unfinished = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void start() {
        system = ActorSystem.create("frames");
    }

    @AfterAll
    static void stop() {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }

    /** A core that takes its time. */
    private final class SlowServer implements ClientPort {
        @Override
        public ConnectionId open(ClientOutlet outlet) {
            return new ConnectionId(opened.incrementAndGet());
        }

        @Override
        public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
            Read read = (Read) ((Frame.Plain) frame).message();
            assertThat(newest[(int) connection.number()].getAndSet(read.nonce()))
                    .isEqualTo(read.nonce() - 1);
            CompletableFuture<Object> done = new CompletableFuture<>();
            unfinished.add(done);
            received.incrementAndGet();
            return done;
        }

        @Override
        public void close(ConnectionId connection) {}

        @Override
        public CompletionStage<CoreStatus> status() {
            return new CompletableFuture<>();
        }
    }

    private static Message read(long nonce) {
        int rest = FRAME - Codec.encode(new Read(nonce, "", "pn-counter", false, CertificateNumber.NONE)).length;
        byte[] frame = Codec.encode(new Read(nonce, "k".repeat(rest - 2), "pn-counter", false, CertificateNumber.NONE));
        return BinaryMessage.create(ByteString.fromArray(frame));
    }

    @Test
    void framesOfAllClientsWaitForRoomInOrder() {
        for (int i = 0; i < newest.length; i++) {
            newest[i] = new AtomicLong();
        }
        HttpLimits limits = new TestLimits().frames(2 * FRAME, MOST).make();
        Materializer materializer = Materializer.matFromSystem(system);
        SessionSocket socket = new SessionSocket(
                new Conversations(
                        new SlowServer(),
                        new ClientAdmission(new Verifier(Hash.ZERO), client -> true, 1, false),
                        limits.conversations(),
                        null),
                new HttpConnections(limits, false, new HttpCounters(), System::nanoTime),
                materializer);
        for (int i = 0; i < CLIENTS; i++) {
            Source.<Message>maybe()
                    .prepend(Source.range(1, FRAMES).map(nonce -> read(nonce)))
                    .via(socket.flow(Optional.empty()))
                    .toMat(Sink.ignore(), Keep.right())
                    .run(system);
        }
        await().atMost(PATIENCE)
                .failFast(() -> assertThat(received.get()).isLessThanOrEqualTo(MOST / (FRAME - 10)))
                .during(Duration.ofMillis(200))
                .until(() -> received.get() >= MOST / FRAME - 1);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> {
            assertThat(unfinished).hasSizeLessThanOrEqualTo(MOST / (FRAME - 10));
            CompletableFuture<Object> done = unfinished.poll();
            if (done != null) {
                done.complete("done");
            }
            return received.get() == CLIENTS * FRAMES && unfinished.isEmpty();
        });
    }
}

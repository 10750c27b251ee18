package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.port.ClientOutlet;
import org.aspas.appserver.port.ClientPort;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Read;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sends much ahead takes turns with those who wait for each answer. The test is the core: it counts turns, and no time. */
class FairShareTest {
    private static final long PATIENCE_SECONDS = 60;
    private static final int OTHERS = 15;
    private static final int AHEAD = 3_000;
    private static final int ALONE = HttpLimits.defaults().framesInFlight();
    private static final int TO_SETTLE = 8 * ALONE;
    private static final int ROUNDS = 60;

    private final Core core = new Core();
    private final Queue<Taken> underWay = new ArrayDeque<>();
    private final List<Line> lines = new ArrayList<>();
    private SessionPort port;

    /** A frame that has reached the core. */
    private record Taken(long connection, CompletableFuture<Object> done) {}

    private static final class Core implements ClientPort {
        final AtomicLong opened = new AtomicLong();
        final BlockingQueue<Long> connections = new LinkedBlockingQueue<>();
        final BlockingQueue<Taken> frames = new LinkedBlockingQueue<>();

        @Override
        public ConnectionId open(ClientOutlet outlet) {
            long number = opened.incrementAndGet();
            connections.add(number);
            return new ConnectionId(number);
        }

        @Override
        public CompletionStage<?> receive(ConnectionId connection, Frame frame) {
            Taken taken = new Taken(connection.number(), new CompletableFuture<>());
            frames.add(taken);
            return taken.done();
        }

        @Override
        public void close(ConnectionId connection) {}

        @Override
        public CompletionStage<CoreStatus> status() {
            return new CompletableFuture<>();
        }
    }

    /** A client on a bare socket. */
    private final class Line {
        final Socket socket;
        final long connection;

        Line() throws Exception {
            socket = new Socket("127.0.0.1", port.address().getPort());
            socket.setTcpNoDelay(true);
            lines.add(this);
            socket.getOutputStream().write("ASPAS/1\n".getBytes(StandardCharsets.US_ASCII));
            Long number = core.connections.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            connection = number == null ? 0 : number;
        }

        void send(int frames) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            byte[] frame = Codec.encode(new Read(1, "counter/a", "pn-counter", false, CertificateNumber.NONE));
            for (int i = 0; i < frames; i++) {
                out.writeInt(frame.length);
                out.write(frame);
            }
            socket.getOutputStream().write(bytes.toByteArray());
        }

        long underWay() {
            return underWay.stream()
                    .filter(taken -> taken.connection() == connection)
                    .count();
        }
    }

    @BeforeEach
    void open() throws Exception {
        port = new SessionPort(
                new InetSocketAddress("127.0.0.1", 0),
                new Conversations(
                        core,
                        new ClientAdmission(new Verifier(Hash.ZERO), client -> true, 1, false),
                        HttpLimits.defaults().conversations(),
                        null),
                null);
    }

    @AfterEach
    void close() throws IOException {
        for (Line line : lines) {
            line.socket.close();
        }
        port.close();
    }

    /** Takes in frames until so many of a connection are under way. */
    private void await(Line line, int frames) throws InterruptedException {
        while (line.underWay() < frames) {
            Taken next = core.frames.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertThat(next)
                    .as("a frame behind %d of connection %d", line.underWay(), line.connection)
                    .isNotNull();
            underWay.add(next);
        }
    }

    /** The core deals with the frame that came first. */
    private long step() {
        Taken first = underWay.remove();
        first.done().complete("done");
        return first.connection();
    }

    @Test
    void whoeverSendsAheadTakesTurns() throws Exception {
        Line ahead = new Line();
        ahead.send(AHEAD);
        await(ahead, ALONE);
        List<Line> others = new ArrayList<>();
        for (int i = 0; i < OTHERS; i++) {
            others.add(new Line());
            others.get(i).send(1);
        }
        int turns = 0;
        for (int i = 0; i < TO_SETTLE + ROUNDS * (OTHERS + 1); i++) {
            await(ahead, 1);
            for (Line other : others) {
                await(other, 1);
            }
            long served = step();
            if (served != ahead.connection) {
                others.stream()
                        .filter(other -> other.connection == served)
                        .findAny()
                        .orElseThrow()
                        .send(1);
            } else if (i >= TO_SETTLE) {
                turns++;
            }
        }
        assertThat(turns).as("turns in %d rounds", ROUNDS).isBetween(ROUNDS - 2, ROUNDS + 2);
    }

    @Test
    void whatOthersLeaveIsHad() throws Exception {
        Line other = new Line();
        Line ahead = new Line();
        ahead.send(AHEAD);
        other.send(1);
        await(ahead, ALONE / 2);
        await(other, 1);
        for (int i = 0; i < TO_SETTLE; i++) {
            await(ahead, 1);
            step();
        }
        await(ahead, ALONE);
        assertThat(ahead.underWay()).isEqualTo(ALONE);
        assertThat(other.underWay()).isZero();
    }
}

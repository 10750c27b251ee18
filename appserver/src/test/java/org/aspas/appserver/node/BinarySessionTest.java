package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.TestLimits;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Binary sessions with one server without peers, byte by byte where it matters. */
class BinarySessionTest {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int STRANGERS = 8;
    private static final int CONNECTIONS = 12;
    private static final byte[] PREFACE = "ASPAS/1\n".getBytes(StandardCharsets.US_ASCII);
    private static final AtomicLong SEEDS = new AtomicLong(5000);
    private static TestDeployment deployment;
    private static AppServer server;

    private static AppServer start(HttpLimits limits) throws StartException {
        InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        return AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults().withAddresses(any, any, any).withHttp(limits));
    }

    @BeforeAll
    static void start() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        server = start(HttpLimits.defaults());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A client on a bare socket. */
    private static final class Line implements AutoCloseable {
        final Sealer sealer = new Sealer(
                TestDeployment.key(SEEDS.incrementAndGet()),
                deployment.descriptor().id());
        final ClientId id = new ClientId(sealer.publicKey());
        final Socket socket;
        final DataOutputStream out;
        final DataInputStream in;

        Line(AppServer to) throws IOException {
            InetSocketAddress address = to.sessionAddress().orElseThrow();
            socket = new Socket(address.getAddress(), address.getPort());
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            out = new DataOutputStream(socket.getOutputStream());
            in = new DataInputStream(socket.getInputStream());
        }

        static Line greeted(AppServer to) throws IOException {
            Line line = new Line(to);
            line.out.write(PREFACE);
            assertThat(line.next(Hello.class).server()).isZero();
            return line;
        }

        static Line session(AppServer to) throws IOException {
            Line line = greeted(to);
            line.send(Codec.encode(line.sealer.seal(new OpenSession(line.id, 1, OpenSession.UNBOUNDED))));
            line.next(Answer.class);
            return line;
        }

        void send(byte[] frame) throws IOException {
            out.writeInt(frame.length);
            out.write(frame);
        }

        byte[] increment(long number, String key) {
            return Codec.encode(
                    sealer.seal(new Request(id, number, key, "pn-counter", Operation.of("increment", Value.of(1)))));
        }

        <M extends Message> M next(Class<M> type) throws IOException {
            byte[] bytes = new byte[in.readInt()];
            in.readFully(bytes);
            Frame frame = Codec.decode(bytes).accepted().orElseThrow();
            Message message = frame instanceof Frame.Plain plain
                    ? plain.message()
                    : ((Frame.Sealed) frame).signed().message();
            assertThat(message).isInstanceOf(type);
            return type.cast(message);
        }

        void assertRefused(String words) throws IOException {
            Refusal refusal = next(Refusal.class);
            assertThat(refusal.reason()).isEqualTo(Reason.MALFORMED);
            assertThat(refusal.detail()).contains(words);
            assertEnded();
        }

        /** The server ended it: no more comes, in whatever way the socket says so. */
        void assertEnded() {
            assertThatThrownBy(() -> {
                        while (true) {
                            in.readByte();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(java.net.SocketTimeoutException.class);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static void assertServes(AppServer one) throws IOException {
        try (Line line = Line.session(one)) {
            line.send(line.increment(1, "still"));
            assertThat(line.next(Answer.class).response().message().reference()).isEqualTo(1);
        }
    }

    @Test
    void manyPipelinedUpdatesAndReadsAreAnsweredInOrder() throws Exception {
        try (Line line = Line.session(server)) {
            for (int number = 1; number <= 300; number++) {
                line.send(line.increment(number, "pipelined"));
                line.send(new byte[0]);
                line.send(Codec.encode(new Read(number, "pipelined", "pn-counter", false, CertificateNumber.NONE)));
            }
            for (int number = 1; number <= 300; number++) {
                for (int of = 0; of < 2; of++) {
                    Answer answer = line.next(Answer.class);
                    assertThat(answer.response().message().isUpdate()).isEqualTo(of == 0);
                    assertThat(answer.response().message().reference()).isEqualTo(number);
                    assertThat(answer.response().message().result()).isEqualTo(Value.of(number));
                }
            }
        }
    }

    @Test
    void aFrameMayComeByteByByteAndManyInOnePacket() throws Exception {
        try (Line line = new Line(server)) {
            List<byte[]> frames = new ArrayList<>();
            frames.add(Codec.encode(line.sealer.seal(new OpenSession(line.id, 1, OpenSession.UNBOUNDED))));
            frames.add(line.increment(1, "split"));
            for (byte each : PREFACE) {
                line.out.write(each);
            }
            line.next(Hello.class);
            for (byte[] frame : frames) {
                line.out.writeByte(0);
                line.out.writeByte(0);
                line.out.writeByte(frame.length >> 8);
                line.out.writeByte(frame.length);
                for (byte each : frame) {
                    line.out.write(each);
                }
                line.next(Answer.class);
            }
            java.io.ByteArrayOutputStream together = new java.io.ByteArrayOutputStream();
            DataOutputStream packet = new DataOutputStream(together);
            for (int number = 2; number < 40; number++) {
                byte[] frame = line.increment(number, "split");
                packet.writeInt(frame.length);
                packet.write(frame);
            }
            line.out.write(together.toByteArray());
            for (int number = 2; number < 40; number++) {
                assertThat(line.next(Answer.class).response().message().reference())
                        .isEqualTo(number);
            }
        }
    }

    @Test
    void whoeverDoesNotBeginAsAClientDoesEndsWithoutAWord() throws Exception {
        long before = server.httpCounts().sessionsOpened();
        for (String words : List.of("GET / HTTP/1.1\r\n\r\n", "ASPAS/2\n", "ASPAS\n")) {
            try (Line line = new Line(server)) {
                line.out.write(words.getBytes(StandardCharsets.US_ASCII));
                line.assertEnded();
            }
        }
        assertThat(server.httpCounts().sessionsOpened()).isEqualTo(before);
        assertServes(server);
    }

    @Test
    void bytesThatAreNoMessageEndTheirConnection() throws Exception {
        try (Line line = Line.greeted(server)) {
            line.send(new byte[] {1, 2, 3});
            line.assertRefused("refused");
        }
        assertServes(server);
    }

    @Test
    void aLengthAboveTheLimitEndsItsConnection() throws Exception {
        for (int length : new int[] {HttpLimits.defaults().maxFrameBytes() + 1, Integer.MAX_VALUE, -1}) {
            try (Line line = Line.greeted(server)) {
                line.out.writeInt(length);
                line.assertRefused("larger than the limit");
            }
        }
        assertServes(server);
    }

    @Test
    void aFrameThatTricklesAndAPrefaceThatDoesNotComeEndInTime() throws Exception {
        try (AppServer strict =
                start(new TestLimits().frameTimeout(Duration.ofMillis(300)).make())) {
            try (Line line = Line.greeted(strict);
                    Line silent = new Line(strict)) {
                line.out.writeInt(1_000);
                line.out.writeByte(0x83);
                line.assertRefused("in time");
                silent.assertEnded();
            }
            assertServes(strict);
        }
    }

    @Test
    void strangersMakeRoomForOthersAndSessionsStay() throws Exception {
        try (AppServer strict =
                        start(new TestLimits().places(CONNECTIONS, STRANGERS).make());
                Line first = Line.session(strict)) {
            List<Line> strangers = new ArrayList<>();
            for (int i = 0; i < STRANGERS + 1; i++) {
                strangers.add(Line.greeted(strict));
            }
            strangers.get(0).assertEnded();
            assertThat(strict.httpCounts().strangersEnded()).isEqualTo(1);
            for (Line stranger : strangers) {
                stranger.close();
            }
            assertServes(strict);
            first.send(first.increment(1, "stays"));
            assertThat(first.next(Answer.class).response().message().reference())
                    .isEqualTo(1);
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
            InetSocketAddress busy = new InetSocketAddress("127.0.0.1", taken.getLocalPort());
            assertThatThrownBy(() -> AppServer.start(
                            deployment.descriptor(),
                            0,
                            deployment.appserverKeys().get(0),
                            AppServerOptions.defaults().withAddresses(any, any, busy)))
                    .isInstanceOf(StartException.class)
                    .hasMessageContaining(String.valueOf(taken.getLocalPort()));
        }
    }

    @Test
    void closingTheServerEndsItsSessions() throws Exception {
        AppServer one = start(HttpLimits.defaults());
        try (Line line = Line.session(one)) {
            one.close();
            line.assertEnded();
        }
    }
}

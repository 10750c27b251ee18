package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.aspas.appserver.http.HttpLimits;
import org.aspas.appserver.http.TestLimits;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.TlsCertificate;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both doors of a server by TLS: those who speak it are served, and those who do not cost no more than others. */
class TlsDoorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final byte[] PREFACE = "ASPAS/1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int CONNECTIONS = 12;
    private static final int STRANGERS = 4;
    private static final Instant YESTERDAY = Instant.now().minus(Duration.ofDays(1));

    @TempDir
    private static Path files;

    private static TestDeployment deployment;
    private static TlsCertificate shown;
    private static ClientTls tls;
    private static SSLContext trusting;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void describe() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
        shown = TlsCertificate.selfSigned("127.0.0.1", YESTERDAY, YESTERDAY.plus(Duration.ofDays(2)));
        tls = ClientTls.read(file("chain.pem", shown.chainText()), file("key.pem", shown.keyText()));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", shown.chain().get(0));
        TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
        managers.init(store);
        trusting = SSLContext.getInstance("TLS");
        trusting.init(null, managers.getTrustManagers(), null);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static Path file(String name, String text) throws IOException {
        return Files.writeString(files.resolve(name), text);
    }

    private AppServer serve(HttpLimits limits) throws StartException {
        InetSocketAddress any = new InetSocketAddress("127.0.0.1", 0);
        AppServer server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults()
                        .withAddresses(any, any, any)
                        .withHttp(limits)
                        .withClientTls(tls));
        opened.add(server);
        return server;
    }

    private static int sessionPort(AppServer server) {
        return server.sessionAddress().orElseThrow().getPort();
    }

    private static int httpPort(AppServer server) {
        return server.httpAddress().getPort();
    }

    private Socket plain(int port) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        opened.add(socket);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        return socket;
    }

    private SSLSocket encrypted(SSLContext context, int port, String... protocols) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
        opened.add(socket);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        if (protocols.length > 0) {
            socket.setEnabledProtocols(protocols);
        }
        socket.startHandshake();
        return socket;
    }

    /** The server ended it, in whatever way the socket says so, and told nothing but an alert. */
    private static void assertEnded(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            assertThat(in.readAllBytes()).hasSizeLessThan(64);
        } catch (SocketTimeoutException open) {
            throw new AssertionError("the connection stays open", open);
        } catch (IOException reset) {
            assertThat(reset).isNotNull();
        }
    }

    private static void awaitFailedHandshakes(AppServer server, long count) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(server.httpCounts().handshakesFailed()).isEqualTo(count));
    }

    private static <M extends Message> M next(DataInputStream in, Class<M> type) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        Frame frame = Codec.decode(bytes).accepted().orElseThrow();
        Message message = frame instanceof Frame.Plain plain
                ? plain.message()
                : ((Frame.Sealed) frame).signed().message();
        return type.cast(message);
    }

    /** A session on a connection by TLS. */
    private static final class Session {
        final SSLSocket socket;
        final Sealer sealer;
        final ClientId id;
        final DataOutputStream out;
        final DataInputStream in;

        Session(SSLSocket socket, long seed) throws IOException {
            this.socket = socket;
            this.sealer =
                    new Sealer(TestDeployment.key(seed), deployment.descriptor().id());
            this.id = new ClientId(sealer.publicKey());
            this.out = new DataOutputStream(socket.getOutputStream());
            this.in = new DataInputStream(socket.getInputStream());
            out.write(PREFACE);
            assertThat(next(in, Hello.class).server()).isZero();
            send(new OpenSession(id, 1, OpenSession.UNBOUNDED));
            next(in, Answer.class);
        }

        private void send(Message message) throws IOException {
            byte[] frame = Codec.encode(sealer.seal(message));
            out.writeInt(frame.length);
            out.write(frame);
        }

        void increment() throws IOException {
            send(new Request(id, 1, "likes", "pn-counter", Operation.of("increment", Value.of(1))));
            assertThat(next(in, Answer.class).response().message().reference()).isEqualTo(1);
        }
    }

    private Session session(AppServer server, long seed) throws IOException {
        return new Session(encrypted(trusting, sessionPort(server)), seed);
    }

    private void assertServesSessions(AppServer server, long seed) throws IOException {
        Session session = session(server, seed);
        assertThat(session.socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
        session.increment();
        session.socket.close();
    }

    private static int httpStatus(AppServer server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("https://127.0.0.1:" + httpPort(server) + path);
        return HttpClient.newBuilder()
                .sslContext(trusting)
                .build()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void bothDoorsServeByTls() throws Exception {
        AppServer server = serve(HttpLimits.defaults());
        assertServesSessions(server, 7001);
        assertThat(httpStatus(server, "/livez")).isEqualTo(200);
        assertThat(httpStatus(server, "/v1/counters/likes")).isEqualTo(200);
        assertThat(server.httpCounts().handshakesFailed()).isZero();
    }

    @Test
    void thoseWhoSpeakNoTlsAreEndedAndCounted() throws Exception {
        AppServer server = serve(HttpLimits.defaults());
        Socket session = plain(sessionPort(server));
        session.getOutputStream().write(PREFACE);
        assertEnded(session);
        Socket http = plain(httpPort(server));
        http.getOutputStream().write("GET /livez HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertEnded(http);
        awaitFailedHandshakes(server, 2);
        assertThat(server.httpCounts().sessionsOpened()).isZero();
        assertThat(server.httpCounts().requests()).isZero();
        assertServesSessions(server, 7002);
    }

    @Test
    void thoseWhoDoNotTrustTheCertificateAreCounted() throws Exception {
        AppServer server = serve(HttpLimits.defaults());
        for (int port : List.of(sessionPort(server), httpPort(server))) {
            assertThatThrownBy(() -> encrypted(SSLContext.getDefault(), port))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("certification path");
        }
        awaitFailedHandshakes(server, 2);
    }

    @Test
    void olderVersionsOfTlsAreRefused() throws Exception {
        AppServer server = serve(HttpLimits.defaults());
        for (int port : List.of(sessionPort(server), httpPort(server))) {
            assertThatThrownBy(() -> encrypted(trusting, port, "TLSv1.2")).isInstanceOf(SSLException.class);
        }
        awaitFailedHandshakes(server, 2);
    }

    /** The head of a record of 512 bytes, and then a byte now and then: whole in time, or not at all. */
    @Test
    void aHandshakeThatStallsOrTricklesEndsInTime() throws Exception {
        AppServer server =
                serve(new TestLimits().frameTimeout(SHORT).idleTimeout(SHORT).make());
        for (int port : List.of(sessionPort(server), httpPort(server))) {
            Socket silent = plain(port);
            Socket slow = plain(port);
            slow.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
                try {
                    slow.getOutputStream().write(0);
                    return false;
                } catch (IOException ended) {
                    return true;
                }
            });
            assertEnded(silent);
        }
        awaitFailedHandshakes(server, 4);
        assertServesSessions(server, 7003);
    }

    /** Who has finished no handshake has a place among the strangers, like anybody without a session. */
    @Test
    void handshakesMakeRoomForOthersAndSessionsStay() throws Exception {
        AppServer server = serve(new TestLimits().places(CONNECTIONS, STRANGERS).make());
        Session session = session(server, 7004);
        for (int port : List.of(sessionPort(server), httpPort(server))) {
            List<Socket> stalled = new ArrayList<>();
            for (int i = 0; i < 3 * STRANGERS; i++) {
                Socket socket = plain(port);
                socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
                stalled.add(socket);
            }
            for (Socket early : stalled.subList(0, 2 * STRANGERS)) {
                assertEnded(early);
            }
        }
        assertServesSessions(server, 7005);
        assertThat(httpStatus(server, "/livez")).isEqualTo(200);
        session.increment();
    }

    @Test
    void anIdleConnectionByTlsEndsAsOthersDo() throws Exception {
        AppServer server = serve(new TestLimits().idleTimeout(SHORT).make());
        SSLSocket socket = encrypted(trusting, httpPort(server));
        assertEnded(socket);
        awaitFailedHandshakes(server, 1);
        assertThat(server.httpCounts().connectionsEnded()).isEqualTo(1);
    }

    @Test
    void closingTheServerEndsItsSessions() throws Exception {
        AppServer server = serve(HttpLimits.defaults());
        SSLSocket socket = encrypted(trusting, sessionPort(server));
        socket.getOutputStream().write(PREFACE);
        next(new DataInputStream(socket.getInputStream()), Hello.class);
        server.close();
        assertEnded(socket);
    }

    @Test
    void filesThatCannotBeUsedAreNamed() throws Exception {
        Path chain = file("chain.pem", shown.chainText());
        Path key = file("key.pem", shown.keyText());
        Path missing = files.resolve("missing.pem");
        assertThatThrownBy(() -> ClientTls.read(missing, key)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> ClientTls.read(chain, missing)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> ClientTls.read(key, key)).hasMessageStartingWith(key + " holds no certificate");
        assertThatThrownBy(() -> ClientTls.read(chain, chain)).hasMessageStartingWith(chain + " holds no private key");
        Path other = file(
                "other.pem",
                TlsCertificate.selfSigned("127.0.0.1", YESTERDAY, YESTERDAY.plusSeconds(9))
                        .keyText());
        assertThatThrownBy(() -> ClientTls.read(chain, other))
                .hasMessage(other + " does not hold the private key of the certificate");
    }
}

package org.aspas.appserver.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.aspas.appserver.http.TestLimits;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Read;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Connections of a client port on which nothing is asked, or slowly, keep nobody else out. */
class IdleConnectionsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CONNECTIONS = 32;
    private static final int STRANGERS = 16;
    private static final Duration LONG = Duration.ofSeconds(120);
    private static final Duration SHORT = Duration.ofMillis(1_500);

    private static TestDeployment deployment;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void describe() throws Exception {
        deployment = TestDeployment.admitting(Set.of());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private AppServer serve(Duration idleTimeout) throws StartException {
        AppServer server = AppServer.start(
                deployment.descriptor(),
                0,
                deployment.appserverKeys().get(0),
                AppServerOptions.defaults()
                        .withFreePorts("127.0.0.1")
                        .withHttp(new TestLimits()
                                .places(CONNECTIONS, STRANGERS)
                                .idleTimeout(idleTimeout)
                                .confirmTimeout(SHORT.multipliedBy(3))
                                .make()));
        opened.add(server);
        return server;
    }

    private Socket connect(AppServer server) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.httpAddress().getPort());
        socket.setSoTimeout((int) PATIENCE.toMillis());
        opened.add(socket);
        return socket;
    }

    /** All that comes until the server ends the connection; fails when it does not. */
    private static CompletableFuture<String> rest(Socket socket) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketTimeoutException open) {
                throw new AssertionError("the connection stays open", open);
            } catch (IOException reset) {
                return "";
            }
        });
    }

    private static void ask(Socket socket, String request) throws IOException {
        socket.getOutputStream().write((request + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static int status(AppServer server, String method, String path, String body) {
        URI uri = URI.create("http://127.0.0.1:" + server.httpAddress().getPort() + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient()
                .sendAsync(request, HttpResponse.BodyHandlers.discarding())
                .join()
                .statusCode();
    }

    @Test
    void silentConnectionsMakeRoom() throws Exception {
        AppServer server = serve(LONG);
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 3 * CONNECTIONS; i++) {
            silent.add(connect(server));
        }
        assertThat(status(server, "GET", "/livez", "")).isEqualTo(200);
        for (Socket gone : silent.subList(0, silent.size() - STRANGERS)) {
            assertThat(rest(gone)).succeedsWithin(PATIENCE);
        }
        assertThat(server.httpCounts().connectionsEnded()).isGreaterThanOrEqualTo(silent.size() - STRANGERS);
    }

    private static void dripUntilEnded(OutputStream out, CompletableFuture<String> rest) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> {
            try {
                out.write('x');
            } catch (IOException closed) {
                assertThat(rest).succeedsWithin(PATIENCE);
            }
            return rest.isDone();
        });
    }

    /** Bytes of a header, however many, do not make the time longer. */
    @Test
    void aRequestHasATimeInAll() throws Exception {
        AppServer server = serve(SHORT);
        Socket slow = connect(server);
        OutputStream out = slow.getOutputStream();
        out.write("GET /livez HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        CompletableFuture<String> rest = rest(slow);
        dripUntilEnded(out, rest);
        assertThat(rest.join()).doesNotStartWith("HTTP/1.1 200");
        assertThat(server.httpCounts().connectionsEnded()).isEqualTo(1);
    }

    /** Nor do bytes of a body that nobody asked for. */
    @Test
    void aBodyThatDripsDoesNotKeepAConnection() throws Exception {
        AppServer server = serve(SHORT);
        Socket slow = connect(server);
        OutputStream out = slow.getOutputStream();
        out.write(
                "GET /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        dripUntilEnded(out, rest(slow));
    }

    @Test
    void aConnectionThatAsksAndIsIdleThenEnds() throws Exception {
        AppServer server = serve(SHORT);
        Socket socket = connect(server);
        ask(socket, "GET /livez");
        assertThat(rest(socket)).succeedsWithin(PATIENCE).asString().startsWith("HTTP/1.1 200");
    }

    /** The answer takes three times as long as an idle connection has. */
    @Test
    void waitingForACertificateIsNotBeingIdle() throws Exception {
        AppServer server = serve(SHORT);
        assertThat(status(server, "POST", "/v1/counters/c/increment?confirm=true", "{\"by\": 1}"))
                .isBetween(200, 299);
        assertThat(server.httpCounts().connectionsEnded()).isZero();
    }

    @Test
    void aWebSocketIsNotMeant() throws Exception {
        AppServer server = serve(SHORT);
        SocketClient client = new SocketClient(
                server.httpAddress(),
                TestDeployment.key(7),
                deployment.descriptor().id());
        client.next(Hello.class);
        await().during(SHORT.multipliedBy(2)).atMost(PATIENCE).until(() -> !client.closed.isDone());
        client.send(new Read(1, "c", "pn-counter", false, CertificateNumber.NONE));
        assertThat(client.next(Answer.class).response().message().reference()).isEqualTo(1);
        client.abort();
    }
}

package org.aspas.appserver.http;

import static org.assertj.core.api.Assertions.assertThat;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.RemoteAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.bftcluster.link.ConnectionPlaces;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which connections end, and when, by a clock that the test moves. */
class HttpConnectionsTest {
    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final int PLACES = 3;

    private final AtomicLong now = new AtomicLong(-5);
    private final HttpCounters counters = new HttpCounters();
    private final HttpConnections connections = new HttpConnections(
            new TestLimits().places(10, PLACES).idleTimeout(IDLE).make(), false, counters, now::get);
    private final List<Socket> sockets = new ArrayList<>();
    private ServerSocket port;

    @BeforeEach
    void listen() throws IOException {
        port = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void closeAll() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        port.close();
    }

    /** The server's end of a new connection. */
    private Socket accepted() throws IOException {
        sockets.add(new Socket(port.getInetAddress(), port.getLocalPort()));
        Socket socket = port.accept();
        sockets.add(socket);
        connections.accepted(socket);
        return socket;
    }

    private static RemoteAddress remote(Socket socket) {
        return RemoteAddress.create((InetSocketAddress) socket.getRemoteSocketAddress());
    }

    private CompletableFuture<HttpResponse> request(Socket socket, CompletableFuture<HttpResponse> answer) {
        HttpRequest request = HttpRequest.GET("/").addAttribute(AttributeKeys.remoteAddress, remote(socket));
        return connections.serve(request, any -> answer).toCompletableFuture();
    }

    private void answered(Socket socket) {
        assertThat(request(socket, CompletableFuture.completedFuture(HttpResponse.create())))
                .isCompleted();
    }

    private void after(Duration time) {
        now.addAndGet(time.toNanos());
        connections.sweep();
    }

    @Test
    void aConnectionWithoutARequestEnds() throws Exception {
        Socket socket = accepted();
        after(IDLE);
        assertThat(socket.isInputShutdown()).isFalse();
        after(Duration.ofMillis(1));
        assertThat(socket.isInputShutdown()).isTrue();
        assertThat(counters.connectionsEnded.sum()).isEqualTo(1);
        assertThat(connections.count()).isZero();
    }

    @Test
    void theTimeBeginsAnewWithEachAnswer() throws Exception {
        Socket socket = accepted();
        for (int i = 0; i < 5; i++) {
            after(IDLE);
            answered(socket);
        }
        assertThat(socket.isInputShutdown()).isFalse();
        after(IDLE.plusMillis(1));
        assertThat(socket.isInputShutdown()).isTrue();
    }

    @Test
    void whoWaitsForAnAnswerIsNotIdle() throws Exception {
        Socket socket = accepted();
        CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
        CompletableFuture<HttpResponse> served = request(socket, answer);
        after(IDLE.multipliedBy(3));
        assertThat(socket.isInputShutdown()).isFalse();
        answer.completeExceptionally(new IllegalStateException("on purpose"));
        assertThat(served).isCompletedExceptionally();
        after(IDLE.plusMillis(1));
        assertThat(socket.isInputShutdown()).isTrue();
    }

    @Test
    void aWebSocketHasNoTimeButTakesAPlace() throws Exception {
        Socket webSocket = accepted();
        request(
                webSocket,
                CompletableFuture.completedFuture(HttpResponse.create().withStatus(101)));
        List<String> ended = new ArrayList<>();
        ConnectionPlaces.Place place =
                connections.enterWebSocket(Optional.of(remote(webSocket)), () -> ended.add("WebSocket"));
        after(IDLE.multipliedBy(3));
        assertThat(webSocket.isInputShutdown()).isFalse();
        place.heard();
        for (int i = 0; i < PLACES - 1; i++) {
            accepted();
        }
        assertThat(ended).isEmpty();
        accepted();
        assertThat(ended).containsExactly("WebSocket");
        assertThat(webSocket.isInputShutdown()).isTrue();
        assertThat(counters.connectionsEnded.sum()).isZero();
    }

    @Test
    void theIdlestMakesRoom() throws Exception {
        Socket first = accepted();
        Socket second = accepted();
        Socket third = accepted();
        answered(first);
        Socket fourth = accepted();
        assertThat(second.isInputShutdown()).isTrue();
        assertThat(List.of(first, third, fourth)).noneMatch(Socket::isInputShutdown);
        assertThat(counters.connectionsEnded.sum()).isEqualTo(1);
    }

    /** Whoever connects to two addresses of the server from one port gets no second place by it. */
    @Test
    void theSamePortAtAnotherAddressEndsTheOlder() throws Exception {
        try (ServerSocket elsewhere = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.2"))) {
            try (Socket client = new Socket();
                    Socket again = new Socket()) {
                client.setReuseAddress(true);
                client.bind(new InetSocketAddress("127.0.0.1", 0));
                client.connect(port.getLocalSocketAddress());
                Socket older = port.accept();
                sockets.add(older);
                connections.accepted(older);
                again.setReuseAddress(true);
                again.bind(client.getLocalSocketAddress());
                again.connect(elsewhere.getLocalSocketAddress());
                Socket newer = elsewhere.accept();
                sockets.add(newer);
                connections.accepted(newer);
                assertThat(older.isInputShutdown()).isTrue();
                assertThat(newer.isInputShutdown()).isFalse();
                assertThat(connections.count()).isOne();
            }
        }
    }

    @Test
    void whatIsGoneIsForgotten() throws Exception {
        Socket socket = accepted();
        socket.close();
        connections.sweep();
        assertThat(connections.count()).isZero();
        assertThat(counters.connectionsEnded.sum()).isZero();
        connections.accepted(new Socket());
        assertThat(connections.count()).isZero();
    }
}

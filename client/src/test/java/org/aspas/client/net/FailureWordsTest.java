package org.aspas.client.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** A server that is cut off, one that is frozen and one that is not there are three things. */
class FailureWordsTest {
    @Test
    void everyUsualFailureHasItsOwnWords() {
        assertThat(WebSocketConnection.describe(new CompletionException(new HttpConnectTimeoutException("x"))))
                .startsWith("no connection in time");
        assertThat(WebSocketConnection.describe(new CompletionException(new HttpTimeoutException("x"))))
                .startsWith("no answer in time on an open connection");
        assertThat(WebSocketConnection.describe(new ConnectException("x"))).isEqualTo("connection refused");
    }

    /**
     * A listening socket that nobody accepts from is what a stopped process looks like. A busy machine may take longer for a
     * connection than a first limit allows: the limit grows until there is one.
     */
    @Test
    void aServerThatTakesConnectionsAndSaysNothingIsNotCutOff() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            URI session = URI.create("ws://127.0.0.1:" + silent.getLocalPort() + "/v1/session");
            String words = "";
            for (int millis = 200; !words.startsWith("no answer in time on an open") && millis < 20_000; millis *= 2) {
                words = wordsAfter(session, Duration.ofMillis(millis));
            }
            assertThat(words).startsWith("no answer in time on an open connection");
        }
    }

    private static String wordsAfter(URI session, Duration limit) {
        CompletionException late = Assertions.catchThrowableOfType(
                CompletionException.class,
                () -> HttpClient.newHttpClient()
                        .newWebSocketBuilder()
                        .connectTimeout(limit)
                        .buildAsync(session, new WebSocket.Listener() {})
                        .join());
        return WebSocketConnection.describe(late);
    }

    /** A TLS handshake has the time of a connection, and ends it when it takes longer. */
    @Test
    void aServerThatSaysNothingInAHandshakeIsLeft() throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        try (ServerSocket silent = new ServerSocket(0)) {
            CompletableFuture<String> closed = new CompletableFuture<>();
            new SocketTransport(
                            loops,
                            new InetSocketAddress("127.0.0.1", silent.getLocalPort()),
                            Duration.ofMillis(500),
                            1 << 20,
                            8,
                            ServerTrust.usual())
                    .connect(new Transport.Listener() {
                        @Override
                        public void connected() {
                            closed.complete("connected, and the server has shown nothing");
                        }

                        @Override
                        public void received(byte[] frame, Runnable consumed) {
                            consumed.run();
                        }

                        @Override
                        public void closed(String reason) {
                            closed.complete(reason);
                        }
                    });
            assertThat(closed)
                    .succeedsWithin(Duration.ofSeconds(20))
                    .asString()
                    .endsWith("no TLS handshake in time: it is stopped or overloaded");
        } finally {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}

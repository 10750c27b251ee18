package org.aspas.emulab.testbed.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that begin an answer and do not end it. */
class ServerHttpTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/whole", exchange -> {
            byte[] body = "all of it, \u00e9".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(404, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.createContext("/stalled", exchange -> {
            exchange.sendResponseHeaders(200, 10);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            wait(over);
        });
        server.createContext("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] much = new byte[1 << 20];
            try (OutputStream out = exchange.getResponseBody()) {
                while (over.getCount() > 0) {
                    out.write(much);
                }
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private static void wait(CountDownLatch over) {
        try {
            over.await();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    @Test
    void aWholeAnswerIsGivenWhateverItsStatus() throws Exception {
        var answer = ServerHttp.get(http, at("/whole"), LONG).get(1, TimeUnit.MINUTES);
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(ServerHttp.text(answer)).isEqualTo("all of it, \u00e9");
    }

    @Test
    void anAnswerWithoutItsBodyFailsInTime() {
        assertThatThrownBy(() -> ServerHttp.get(http, at("/stalled"), Duration.ofMillis(300))
                        .get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("no whole answer in 300 ms");
    }

    @Test
    void anAnswerWithoutAnEndIsCutOff() {
        assertThatThrownBy(() -> ServerHttp.get(http, at("/endless"), LONG).get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(IOException.class)
                .hasMessageContaining("an answer of more than");
    }

    @Test
    void aServerThatIsNotThereFails() {
        assertThatThrownBy(() -> ServerHttp.get(http, URI.create("http://127.0.0.1:1/"), LONG)
                        .get(1, TimeUnit.MINUTES))
                .hasCauseInstanceOf(IOException.class);
    }
}

package org.aspas.bftcluster.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that answers {@code GET /metrics} and {@code GET /livez} and nothing else. A request that does not arrive holds up a few
 * others at most, and not for long. Thread-safe.
 */
public final class MetricsPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPort.class);
    private static final int WAITING = 16;
    private static final int THREADS = 8;

    /** Of the JDK's server: after how many seconds it ends a connection whose request is not here. By default never. */
    private static final String LONGEST_REQUEST = "sun.net.httpserver.maxReqTime";

    private static final String LONGEST_REQUEST_SECONDS = "10";

    private final HttpServer server;
    private final ExecutorService threads;

    private MetricsPort(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Binds the port and begins to serve.
     *
     * @param address where; port 0 takes a free one
     * @throws IOException when the address cannot be bound
     */
    public static MetricsPort open(InetSocketAddress address, Supplier<String> metrics) throws IOException {
        if (System.getProperty(LONGEST_REQUEST) == null) {
            System.setProperty(LONGEST_REQUEST, LONGEST_REQUEST_SECONDS);
        }
        HttpServer server = HttpServer.create(address, WAITING);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread made = new Thread(task, "metrics");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> answer(exchange, "/metrics", metrics));
        server.createContext("/livez", exchange -> answer(exchange, "/livez", () -> "ok\n"));
        server.createContext("/", exchange -> answer(exchange, "", () -> ""));
        server.start();
        return new MetricsPort(server, threads);
    }

    private static void answer(HttpExchange exchange, String path, Supplier<String> text) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (exchange.getProtocol().equals("HTTP/1.0")
                    && exchange.getRequestHeaders().containsKey("Transfer-Encoding")) {
                exchange.getResponseHeaders().set("Connection", "close");
                send(exchange, 400, "HTTP/1.0 has no chunked bodies.\n");
            } else if (!path.equals(exchange.getRequestURI().getRawPath())) {
                send(exchange, 404, "There are /metrics and /livez here.\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                send(exchange, 405, "This is there to be read: GET or HEAD.\n");
            } else {
                exchange.getResponseHeaders().set("Content-Type", NodeMetrics.MEDIA_TYPE);
                send(exchange, 200, text.get());
            }
        } catch (RuntimeException bug) {
            LOG.error("{} cannot be read", path, bug);
            throw bug;
        }
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("text/plain; charset=utf-8"));
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}

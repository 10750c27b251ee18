package org.aspas.bftcluster.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port that answers {@code GET /metrics} and {@code GET /livez} and nothing else, one request at a time. Thread-safe. */
public final class MetricsPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPort.class);
    private static final int WAITING = 16;

    private final HttpServer server;
    private final ExecutorService thread;

    private MetricsPort(HttpServer server, ExecutorService thread) {
        this.server = server;
        this.thread = thread;
    }

    /**
     * Binds the port and begins to serve.
     *
     * @param address where; port 0 takes a free one
     * @param metrics gives the figures
     * @throws IOException when the address cannot be bound
     */
    public static MetricsPort open(InetSocketAddress address, Supplier<String> metrics) throws IOException {
        HttpServer server = HttpServer.create(address, WAITING);
        ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "metrics");
            made.setDaemon(true);
            return made;
        });
        server.setExecutor(thread);
        server.createContext("/metrics", exchange -> answer(exchange, "/metrics", metrics));
        server.createContext("/livez", exchange -> answer(exchange, "/livez", () -> "ok\n"));
        server.start();
        return new MetricsPort(server, thread);
    }

    private static void answer(HttpExchange exchange, String path, Supplier<String> text) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals(path)) {
                exchange.sendResponseHeaders(404, -1);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
            } else {
                byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", NodeMetrics.MEDIA_TYPE);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        } catch (RuntimeException bug) {
            LOG.error("{} cannot be read", path, bug);
            throw bug;
        }
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdown();
    }
}

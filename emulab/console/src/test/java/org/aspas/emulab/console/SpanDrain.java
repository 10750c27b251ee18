package org.aspas.emulab.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** Takes batches of spans and forgets them. Thread-safe. */
final class SpanDrain implements AutoCloseable {
    private final HttpServer server;
    private final AtomicLong batches = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    SpanDrain() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            bytes.addAndGet(exchange.getRequestBody().transferTo(OutputStream.nullOutputStream()));
            batches.incrementAndGet();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    long batches() {
        return batches.get();
    }

    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

package org.aspas.emulab.console.http;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.aspas.emulab.console.feed.EventStream;

/** Sends a stream to a page as server-sent events, until the page is gone or the console ends. */
final class EventSender {
    static final String TYPE = "text/event-stream; charset=utf-8";

    private static final long HEARTBEAT_MILLIS = 15_000;

    private EventSender() {}

    /** Sends until there is an end; the stream is closed then. */
    static void send(HttpExchange exchange, EventStream stream) throws IOException {
        try (stream) {
            exchange.getResponseHeaders().set("Content-Type", TYPE);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            long id = 0;
            while (!stream.isOver()) {
                EventStream.Item item = stream.next(HEARTBEAT_MILLIS);
                if (item != null) {
                    id++;
                    out.write(("event: " + item.name() + "\nid: " + id + "\ndata: ").getBytes(StandardCharsets.UTF_8));
                    out.write(item.data());
                    out.write('\n');
                    out.write('\n');
                } else {
                    out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
                }
                out.flush();
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.aspas.appserver.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Reads a stream of server-sent events, as a browser does. For one thread. */
final class WatchReader implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    /** An event; a heartbeat has no name. */
    record Received(String id, String name, JsonNode data) {}

    WatchReader(HttpClient http, URI uri, String lastEventId) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        if (!lastEventId.isEmpty()) {
            request.header("Last-Event-ID", lastEventId);
        }
        response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** The next event or heartbeat; waits for it. */
    Received next() throws IOException {
        String id = "";
        String name = "";
        String data = "null";
        boolean retry = false;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty() && !retry) {
                return new Received(id, name, MAPPER.readTree(data));
            }
            retry = line.startsWith("retry: ");
            id = line.startsWith("id: ") ? line.substring(4) : id;
            name = line.startsWith("event: ") ? line.substring(7) : name;
            data = line.startsWith("data: ") ? line.substring(6) : data;
        }
        throw new IOException("the stream has ended");
    }

    /** The next event, whatever heartbeats are before it. */
    Received nextEvent() throws IOException {
        Received event = next();
        while (event.name().isEmpty()) {
            event = next();
        }
        return event;
    }

    /** The next event of this name. */
    Received next(String name) throws IOException {
        Received event = next();
        while (!event.name().equals(name)) {
            event = next();
        }
        return event;
    }

    @Override
    public void close() throws IOException {
        response.body().close();
    }
}

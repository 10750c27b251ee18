package org.aspas.emulab.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What a page does, over HTTP alone. */
final class PageClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI address;
    private final List<PageEvent> events = new CopyOnWriteArrayList<>();
    private final AtomicReference<Stream<String>> lines = new AtomicReference<>();
    private Thread reader;

    /** One event as it came. */
    record PageEvent(String name, long id, JsonNode data) {}

    PageClient(URI address) {
        this.address = address;
    }

    /** Opens the stream of events, which are collected from now on. */
    PageClient listen() throws IOException, InterruptedException {
        HttpResponse<Stream<String>> answer = http.send(
                HttpRequest.newBuilder(address.resolve("api/events")).build(), HttpResponse.BodyHandlers.ofLines());
        if (answer.statusCode() != 200) {
            throw new IOException("api/events answers " + answer.statusCode());
        }
        lines.set(answer.body());
        reader = new Thread(() -> collect(answer.body()), "page-client");
        reader.setDaemon(true);
        reader.start();
        return this;
    }

    private void collect(Stream<String> body) {
        String[] name = {""};
        long[] id = {0};
        try {
            body.forEach(line -> {
                if (line.startsWith("event: ")) {
                    name[0] = line.substring("event: ".length());
                } else if (line.startsWith("id: ")) {
                    id[0] = Long.parseLong(line.substring("id: ".length()));
                } else if (line.startsWith("data: ")) {
                    events.add(new PageEvent(name[0], id[0], json(line.substring("data: ".length()))));
                }
            });
        } catch (UncheckedIOException closed) {
            // The test has ended.
        }
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** All that came so far. */
    List<PageEvent> events() {
        return List.copyOf(events);
    }

    /** The data of all events of a kind. */
    List<JsonNode> all(String name) {
        return events.stream()
                .filter(one -> one.name().equals(name))
                .map(PageEvent::data)
                .toList();
    }

    /** The first event of a kind that is so. */
    Optional<JsonNode> first(String name, Predicate<JsonNode> wanted) {
        return all(name).stream().filter(wanted).findFirst();
    }

    /** The newest event of a kind. */
    Optional<JsonNode> newest(String name) {
        List<JsonNode> all = all(name);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** Whether a line of the story of a kind has come. */
    boolean hasStory(String kind) {
        return first("story", line -> line.path("kind").asText().equals(kind)).isPresent();
    }

    /** The kinds of all lines of the story so far, in their order. */
    List<String> stories() {
        return all("story").stream().map(line -> line.path("kind").asText()).toList();
    }

    HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(address.resolve(path)).build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Does an action. */
    HttpResponse<String> act(String name, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(address.resolve("api/actions/" + name))
                .header("Content-Type", "application/json")
                .header("Origin", "http://127.0.0.1:" + address.getPort())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        Stream<String> open = lines.get();
        if (open != null) {
            open.close();
        }
    }
}

package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Adds the numbers from 0 on to a set at one appserver, one at a time and never again, by its JSON API. The server signs them
 * with a key that dies with it: what it acknowledged nobody else can give it once more.
 */
final class AcknowledgedWrites implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int OK = 200;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Set<Long> acknowledged = new ConcurrentSkipListSet<>();
    private final AtomicLong tried = new AtomicLong();
    private final URI server;
    private final String key;

    AcknowledgedWrites(FreePorts ports, int appserver) {
        this.server = URI.create("http://127.0.0.1:" + ports.clientPort(appserver));
        this.key = "kept-" + appserver;
        var unused = thread.scheduleWithFixedDelay(this::add, 0, 2, TimeUnit.MILLISECONDS);
    }

    private void add() {
        long number = tried.getAndIncrement();
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/v1/sets/" + key + "/add"))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"element\":" + number + "}"))
                .build();
        try {
            if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK) {
                acknowledged.add(number);
            }
        } catch (IOException unknown) {
            // Nobody knows whether it is entered.
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    int acknowledged() {
        return acknowledged.size();
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(TIMEOUT).build();
        return JSON.readTree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    /** What the server says of itself; an empty text when it does not answer. */
    String state() throws InterruptedException {
        try {
            return get("/v1/status").path("state").asText();
        } catch (IOException gone) {
            return "";
        }
    }

    /** What the server says of an object. */
    JsonNode value(String path) throws IOException, InterruptedException {
        return get(path).path("value");
    }

    /** What was acknowledged and is not in the set now. */
    Set<Long> lost() throws IOException, InterruptedException {
        Set<Long> lost = new TreeSet<>(acknowledged);
        value("/v1/sets/" + key).forEach(element -> lost.remove(element.asLong()));
        return lost;
    }

    /** Writes no more. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

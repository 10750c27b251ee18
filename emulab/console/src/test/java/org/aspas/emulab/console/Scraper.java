package org.aspas.emulab.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Reads {@code /metrics} of all nodes once a second, as Prometheus does, until it is closed. Thread-safe. */
final class Scraper implements AutoCloseable {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<URI> nodes;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "scraper");
        made.setDaemon(true);
        return made;
    });

    Scraper(List<URI> nodes) {
        this.nodes = List.copyOf(nodes);
        var unused = timer.scheduleAtFixedRate(this::readAll, 0, 1, TimeUnit.SECONDS);
    }

    /** Reads all nodes once, now. */
    void readAll() {
        nodes.forEach(this::read);
    }

    private void read(URI node) {
        try {
            HttpResponse<byte[]> answer =
                    http.send(HttpRequest.newBuilder(node).build(), HttpResponse.BodyHandlers.ofByteArray());
            (answer.statusCode() == 200 ? reads : failures).incrementAndGet();
            bytes.addAndGet(answer.body().length);
        } catch (IOException failed) {
            failures.incrementAndGet();
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    long reads() {
        return reads.get();
    }

    long bytes() {
        return bytes.get();
    }

    long failures() {
        return failures.get();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

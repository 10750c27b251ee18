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

/** Reads {@code /metrics} of all nodes, as Prometheus does, until it is closed. Thread-safe. */
final class Scraper implements AutoCloseable {
    /** One for all, as a scraper that goes on for ever has: to make it takes as much of the processor as many reads. */
    private static final HttpClient HTTP =
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
    }

    /** Reads all nodes again and again, at first in the middle of the first pause. */
    Scraper every(long pauseMillis) {
        var unused = timer.scheduleAtFixedRate(this::readAll, pauseMillis / 2, pauseMillis, TimeUnit.MILLISECONDS);
        return this;
    }

    /** Reads all nodes once, now. */
    void readAll() {
        nodes.forEach(this::read);
    }

    private void read(URI node) {
        try {
            HttpResponse<byte[]> answer =
                    HTTP.send(HttpRequest.newBuilder(node).build(), HttpResponse.BodyHandlers.ofByteArray());
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

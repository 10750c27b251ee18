package org.aspas.client.api;

import java.net.http.HttpClient;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What clients of one process share: a small pool that runs them all, a timer thread, one HTTP client, and the memory of
 * verified certificates. All threads are daemons. Thread-safe; close it after its clients.
 */
public final class ClientResources implements AutoCloseable {
    private final ExecutorService executor;
    private final ScheduledThreadPoolExecutor scheduler;
    private final HttpClient http;
    private final CertificateCache certificates = new CertificateCache();

    private ClientResources(int threads) {
        this.executor = Executors.newFixedThreadPool(threads, named("aspas-client-"));
        this.scheduler = new ScheduledThreadPoolExecutor(1, named("aspas-client-timer-"));
        scheduler.setRemoveOnCancelPolicy(true);
        this.http = HttpClient.newBuilder().executor(executor).build();
    }

    /**
     * New resources.
     *
     * @param threads how many threads run the clients, from 1
     */
    public static ClientResources create(int threads) {
        return new ClientResources(threads);
    }

    /** The resources of clients that name none; never closed. */
    public static ClientResources shared() {
        return Shared.INSTANCE;
    }

    private static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Runs the clients. */
    public ExecutorService executor() {
        return executor;
    }

    /** Runs timers; nothing on it blocks. */
    public ScheduledThreadPoolExecutor scheduler() {
        return scheduler;
    }

    /** Makes the connections. */
    public HttpClient http() {
        return http;
    }

    CertificateCache certificates() {
        return certificates;
    }

    /** Stops the threads, waiting for running tasks for at most five seconds. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        executor.shutdown();
        try {
            if (!executor.awaitTermination(5, TimeUnit.SECONDS)) {
                executor.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private static final class Shared {
        static final ClientResources INSTANCE =
                new ClientResources(Math.max(2, Runtime.getRuntime().availableProcessors()));
    }
}

package org.aspas.client.api;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.client.transport.ServerTrust;
import org.jspecify.annotations.Nullable;

/**
 * What clients of one process share: a small pool that runs them all, event loops of their connections, a timer thread, one HTTP
 * client, and the memory of verified certificates. All threads are daemons. Thread-safe; close it after its clients.
 */
public final class ClientResources implements AutoCloseable {
    private static final String USUAL_NAME = "aspas-client";

    private final ExecutorService executor;
    private final ScheduledThreadPoolExecutor scheduler;
    private final HttpClient http;
    /** By who is trusted; each has a thread, which ends some time after nobody holds that trust any more. */
    private final Map<ServerTrust, HttpClient> trusting = new WeakHashMap<>();

    private final CertificateCache certificates = new CertificateCache();
    private final SignatureCounts signatures = new SignatureCounts();
    private final String name;
    private final int threads;
    private @Nullable EventLoopGroup loops;

    private ClientResources(String name, int threads) {
        this.name = name;
        this.threads = threads;
        this.executor = Executors.newFixedThreadPool(threads, named(name + "-"));
        this.scheduler = new ScheduledThreadPoolExecutor(1, named(name + "-timer-"));
        scheduler.setRemoveOnCancelPolicy(true);
        this.http = HttpClient.newBuilder().executor(executor).build();
    }

    /**
     * New resources.
     *
     * @param threads how many threads run the clients, from 1; their connections have as many event loops
     */
    public static ClientResources create(int threads) {
        return create(USUAL_NAME, threads);
    }

    /**
     * New resources whose threads have names of their own.
     *
     * @param name what the names of all threads begin with, but for the one that the JDK's HTTP client names itself
     * @param threads how many threads run the clients, from 1; their connections have as many event loops
     */
    public static ClientResources create(String name, int threads) {
        return new ClientResources(name, threads);
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

    public ExecutorService executor() {
        return executor;
    }

    /** Runs timers; nothing on it blocks. */
    public ScheduledThreadPoolExecutor scheduler() {
        return scheduler;
    }

    /** The event loops of binary sessions, made on first use. */
    public synchronized EventLoopGroup loops() {
        EventLoopGroup made = loops;
        if (made == null) {
            made = new MultiThreadIoEventLoopGroup(
                    threads, new DefaultThreadFactory(name + "-io", true), NioIoHandler.newFactory());
            loops = made;
        }
        return made;
    }

    /** Makes WebSockets; by TLS, to servers that the JDK trusts. */
    public HttpClient http() {
        return http;
    }

    /** Makes WebSockets by TLS; one for all clients that share this trust. */
    HttpClient http(ServerTrust trust) {
        synchronized (trusting) {
            return trusting.computeIfAbsent(
                    trust, asked -> asked.http().executor(executor).build());
        }
    }

    /** The public-key operations of all clients that share this, since it was made. */
    public SignatureCounts signatures() {
        return signatures;
    }

    CertificateCache certificates() {
        return certificates;
    }

    /** Stops the threads, waiting for running tasks for at most five seconds. */
    @Override
    public void close() {
        scheduler.shutdownNow();
        endLoops();
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

    private synchronized void endLoops() {
        EventLoopGroup made = loops;
        if (made != null) {
            made.shutdownGracefully(0, 2, TimeUnit.SECONDS);
        }
    }

    private static final class Shared {
        static final ClientResources INSTANCE =
                new ClientResources(USUAL_NAME, Math.max(2, Runtime.getRuntime().availableProcessors()));
    }
}

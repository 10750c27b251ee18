package org.aspas.client.api;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.wire.Certificate;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.net.ServerTrust;
import org.jspecify.annotations.Nullable;

/**
 * The resources that the clients of one process share: a small thread pool, event loops for connections, a timer thread, HTTP clients,
 * and a cache of verified certificates. All threads are daemons. Thread-safe; close it after its clients.
 */
public final class ClientResources implements AutoCloseable {
    private static final String USUAL_NAME = "aspas-client";

    private final ExecutorService executor;
    private final ScheduledThreadPoolExecutor scheduler;
    private final HttpClient http;
    /** HTTP clients by trust; each has a thread, which ends some time after the trust becomes unreachable. */
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
     * Creates resources.
     *
     * @param threads the number of threads that run the clients, from 1, and of event loops for their connections
     */
    public static ClientResources create(int threads) {
        return create(USUAL_NAME, threads);
    }

    /**
     * Creates resources whose threads have a common name.
     *
     * @param name the prefix of all threads' names, except those that the JDK's HTTP client names itself
     * @param threads the number of threads that run the clients, from 1, and of event loops for their connections
     */
    public static ClientResources create(String name, int threads) {
        return new ClientResources(name, threads);
    }

    /** Returns the default resources of this process, which are never closed. */
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

    /** Runs timers; tasks must not block. */
    public ScheduledThreadPoolExecutor scheduler() {
        return scheduler;
    }

    /** Returns the event loops of binary sessions, created on first use. */
    public synchronized EventLoopGroup loops() {
        EventLoopGroup made = loops;
        if (made == null) {
            made = new MultiThreadIoEventLoopGroup(
                    threads, new DefaultThreadFactory(name + "-io", true), NioIoHandler.newFactory());
            loops = made;
        }
        return made;
    }

    /** Returns the HTTP client that opens WebSockets; for TLS it trusts what the JDK trusts. */
    public HttpClient http() {
        return http;
    }

    /** Returns the HTTP client that opens WebSockets over TLS, shared by all clients with this trust. */
    HttpClient http(ServerTrust trust) {
        synchronized (trusting) {
            return trusting.computeIfAbsent(
                    trust, asked -> asked.http().executor(executor).build());
        }
    }

    /** Returns the counts of public-key operations by all clients of these resources, since these were created. */
    public SignatureCounts signatures() {
        return signatures;
    }

    CertificateCache certificates() {
        return certificates;
    }

    /** Stops the threads and waits at most five seconds for running tasks. */
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

    /**
     * Verifies certificates and remembers the valid ones by the hash of their content, so that the clients of one process verify each
     * certificate only once. Thread-safe.
     */
    static final class CertificateCache {
        private static final int KEPT = 256;

        private final Map<Hash, Certificate> genuine = new BoundedMap<>(KEPT);

        /** Returns the check for one deployment. The content hash covers the deployment's id, so deployments cannot be confused. */
        CertificateCheck check(Hash deployment, CertificateVerifier verifier) {
            return certificate -> {
                Hash hash = certificate.hash();
                Certificate known = get(hash);
                if (known != null && known.content().deployment().equals(deployment)) {
                    return new CertificateCheck.Verdict.Genuine(known);
                }
                Optional<String> wrong = verifier.verify(certificate);
                if (wrong.isPresent()) {
                    return new CertificateCheck.Verdict.Wrong(wrong.get());
                }
                put(hash, certificate);
                return new CertificateCheck.Verdict.Genuine(certificate);
            };
        }

        private synchronized @Nullable Certificate get(Hash hash) {
            return genuine.get(hash);
        }

        private synchronized void put(Hash hash, Certificate certificate) {
            genuine.put(hash, certificate);
        }
    }
}

package org.aspas.appserver.actor;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aspas.appserver.port.RestingObjects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads resting objects from the disk before the core gets what needs them, so that the core, and all who ask it, wait for no disk. What
 * comes from one source stays in its order, and only that waits. Nothing depends on it but time: what was not read here, or was forgotten again, the core
 * reads itself. Thread-safe.
 */
final class ReadAhead {
    private static final Logger LOG = LoggerFactory.getLogger(ReadAhead.class);
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final RestingObjects resting;
    private final RecentKeys recent;
    private final LongAdder read = new LongAdder();
    /** Of each source that waits for the disk, the last that was put into its line; done when the core was told. */
    private final ConcurrentMap<Object, CompletableFuture<?>> lines = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor threads;

    /**
     * Nothing is read so far.
     *
     * @param resting reads
     * @param name of the threads, which run only while something is to be read
     */
    ReadAhead(RestingObjects resting, String name) {
        this.resting = resting;
        this.recent = new RecentKeys(System::nanoTime);
        AtomicInteger made = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                },
                // After the end nothing is read, and the core says that it has stopped.
                (task, ended) -> task.run());
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Tells the core something, at once where no disk has to be read before.
     *
     * @param source whose words stay in their order; null for somebody who says only one
     * @param keys the objects that this needs; asked only when any rest
     * @param tell tells the core; called once, perhaps on another thread
     * @return what that returned, then
     */
    <T> CompletionStage<T> before(
            @Nullable Object source, Supplier<List<String>> keys, Supplier<CompletionStage<T>> tell) {
        boolean any = resting.any();
        if (!any && lines.isEmpty()) {
            return tell.get();
        }
        List<String> unread = any ? keys.get().stream().filter(recent::isNew).toList() : List.of();
        if (unread.isEmpty() && (source == null || !lines.containsKey(source))) {
            return tell.get();
        }
        CompletableFuture<CompletionStage<T>> told = new CompletableFuture<>();
        Object line = Objects.requireNonNullElse(source, told);
        CompletableFuture<?> earlier = lines.put(line, told);
        Runnable next = () -> {
            read(unread);
            CompletionStage<T> answer = tell.get();
            // Not before the core was told, or the next word of this source would overtake this one.
            lines.remove(line, told);
            told.complete(answer);
        };
        if (earlier == null) {
            threads.execute(next);
        } else {
            earlier.thenRunAsync(next, threads);
        }
        return told.thenCompose(Function.identity());
    }

    private void read(List<String> keys) {
        try {
            for (String key : keys) {
                if (threads.isShutdown()) {
                    return;
                }
                resting.readAhead(key);
                read.increment();
            }
        } catch (RuntimeException | Error bug) {
            LOG.warn("reading ahead met a bug, and the core goes on without it", bug);
        }
    }

    /** How many objects were read ahead, or looked for and not there. */
    long count() {
        return read.sum();
    }

    /** Reads no more. */
    void close() {
        threads.shutdown();
    }
}

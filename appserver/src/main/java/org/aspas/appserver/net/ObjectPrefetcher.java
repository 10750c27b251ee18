package org.aspas.appserver.net;

import java.util.List;
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
 * comes from one source stays in its order, and only that waits. Nothing depends on it but time: what was not read here the core reads
 * itself. Thread-safe.
 */
final class ObjectPrefetcher {
    /** When this many reads wait for the disk, the rest is left to the core. */
    static final int MOST_WAITING = 256;

    /** The most objects that are read for one event. */
    static final int MOST_OBJECTS = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(ObjectPrefetcher.class);
    private static final CompletableFuture<Object> NOTHING = CompletableFuture.completedFuture("nothing");
    private static final int READERS = 4;
    private static final long IDLE_SECONDS = 1;

    private final RestingObjects resting;
    private final LongAdder read = new LongAdder();
    /** Of each source that waits for the disk, the last of its line; done when the core was told. */
    private final ConcurrentMap<Object, CompletableFuture<?>> lines = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor readers;
    /** Apart from those that read, so that nobody whose objects are here waits behind a slow read of somebody else. */
    private final ThreadPoolExecutor teller;

    private volatile boolean closed;

    /** Starts the threads of this name only when there is something to read. */
    ObjectPrefetcher(RestingObjects resting, String name) {
        this.resting = resting;
        this.readers = threads(READERS, name);
        this.teller = threads(1, name + "-tells");
    }

    private static ThreadPoolExecutor threads(int most, String name) {
        AtomicInteger made = new AtomicInteger();
        return new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, name + "-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Tells the core something, at once where no disk has to be read before.
     *
     * @param source whose words stay in their order; null for somebody who says only one
     * @param keys the objects that this needs; asked only when any rest
     * @param tell tells the core; called once, perhaps on another thread
     */
    <T> CompletionStage<T> before(
            @Nullable Object source, Supplier<List<String>> keys, Supplier<CompletionStage<T>> tell) {
        List<String> cold = cold(keys);
        if (cold.isEmpty() && (source == null || !lines.containsKey(source))) {
            return tell.get();
        }
        CompletableFuture<?> here = cold.isEmpty() ? NOTHING : CompletableFuture.runAsync(() -> read(cold), readers);
        if (source == null) {
            return here.thenCompose(done -> tell.get());
        }
        CompletableFuture<CompletionStage<T>> told = new CompletableFuture<>();
        CompletableFuture<?> earlier = lines.put(source, told);
        // Not on the thread that told the word before: a long line would be as deep a stack.
        here.runAfterBothAsync(
                earlier == null ? NOTHING : earlier,
                () -> {
                    CompletionStage<T> answer = told(tell);
                    // Not before the core was told, or the next word of this source would overtake this one.
                    lines.remove(source, told);
                    told.complete(answer);
                },
                teller);
        return told.thenCompose(Function.identity());
    }

    private static <T> CompletionStage<T> told(Supplier<CompletionStage<T>> tell) {
        try {
            return tell.get();
        } catch (RuntimeException | Error bug) {
            return CompletableFuture.failedStage(bug);
        }
    }

    private List<String> cold(Supplier<List<String>> keys) {
        return !resting.any() || closed || readers.getQueue().size() >= MOST_WAITING
                ? List.of()
                : keys.get().stream()
                        .distinct()
                        .filter(resting::rests)
                        .limit(MOST_OBJECTS)
                        .toList();
    }

    private void read(List<String> keys) {
        try {
            for (String key : keys) {
                if (closed) {
                    return;
                }
                resting.readAhead(key);
                read.increment();
            }
        } catch (RuntimeException | Error bug) {
            LOG.warn("reading ahead met a bug, and the core goes on without it", bug);
        }
    }

    long count() {
        return read.sum();
    }

    /** Stops reading; what waits is still told. */
    void close() {
        closed = true;
        readers.allowCoreThreadTimeOut(true);
        teller.allowCoreThreadTimeOut(true);
    }
}

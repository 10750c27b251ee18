package org.aspas.emulab.workload;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which a generator chooses and begins operations; none of them waits for an answer. */
final class LoadThreads implements Executor, AutoCloseable {
    private final AtomicInteger made = new AtomicInteger();
    private final ExecutorService pool;

    /** As many as there are processors. */
    LoadThreads() {
        pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
            Thread thread = new Thread(task, "load-" + made.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}

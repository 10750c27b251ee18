package org.aspas.emulab.workload;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads on which a generator chooses and begins operations; none of them waits for an answer. */
final class LoadThreads implements Executor, AutoCloseable {
    private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
    private final ExecutorService pool;

    /** As many as there are processors. */
    LoadThreads() {
        pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), task -> {
            Thread thread = new Thread(task, "load-" + made.size());
            thread.setDaemon(true);
            made.add(thread);
            return thread;
        });
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** What the threads, and the calling one, have used so far in nanoseconds; 0 where the JVM does not tell. */
    long processorNanos() {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        if (!bean.isThreadCpuTimeSupported()) {
            return 0;
        }
        long own = bean.getCurrentThreadCpuTime();
        return own
                + made.stream()
                        .mapToLong(thread -> Math.max(0, bean.getThreadCpuTime(thread.getId())))
                        .sum();
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}

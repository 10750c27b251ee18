package org.aspas.emulab.lab.delay;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The thread that says when frames are due. Tasks do no more than queue what is to be done. Thread-safe. */
final class DelayTimer implements AutoCloseable {
    private final AtomicLong threadId = new AtomicLong();

    /** Where the launcher lets Java's priorities mean something, frames are less late on a busy machine. */
    @SuppressWarnings("ThreadPriorityCheck")
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "delays");
        thread.setDaemon(true);
        thread.setPriority(Thread.MAX_PRIORITY);
        threadId.set(thread.getId());
        return thread;
    });

    DelayTimer() {
        executor.prestartCoreThread();
    }

    /** Runs a task at a moment of {@link System#nanoTime} or soon after; never when the timer is closed. */
    void wake(long moment, Runnable task) {
        try {
            var unused = executor.schedule(task, moment - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // Nothing travels any more.
        }
    }

    /** What the thread has used of a processor; zero where the system does not tell. */
    Duration processorTime() {
        long nanos = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId.get());
        return Duration.ofNanos(Math.max(0, nanos));
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

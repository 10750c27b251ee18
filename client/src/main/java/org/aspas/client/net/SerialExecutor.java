package org.aspas.client.net;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time and in order on a shared executor: a lock-free mailbox, so that thousands of single-threaded
 * state machines need no thread of their own.
 */
public final class SerialExecutor implements Executor {
    private static final int BATCH = 128;

    private final Executor executor;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable Thread runner;

    public SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    /**
     * Queues a task, which throws nothing.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the shared executor takes no more
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            executor.execute(this::run);
        }
    }

    /**
     * As {@link #execute}, but runs the task on the calling thread when the mailbox is idle, before it returns: one change of
     * threads less. For callers whose thread may run tasks of any length.
     *
     * @throws java.util.concurrent.RejectedExecutionException when the shared executor takes no more
     */
    public void executeHere(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            run();
        }
    }

    /** Whether the calling thread is running a task of this mailbox. */
    public boolean isCurrent() {
        return Thread.currentThread() == runner;
    }

    private void run() {
        runner = Thread.currentThread();
        int done = 0;
        try {
            for (Runnable task = tasks.poll(); task != null; task = done < BATCH ? tasks.poll() : null) {
                done++;
                task.run();
            }
        } finally {
            runner = null;
            if (pending.addAndGet(-done) > 0) {
                executor.execute(this::run);
            }
        }
    }
}

package org.aspas.appserver.core;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A thread that runs its tasks one after another in virtual time, so that a seed decides when; and can be stopped for good. */
final class SteppedThread extends AbstractExecutorService implements ScheduledExecutorService {
    private final BiConsumer<Long, Runnable> later;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean killed;
    private boolean ended;

    /**
     * A thread without a task.
     *
     * @param later lets something happen after so many milliseconds, and some more
     */
    SteppedThread(BiConsumer<Long, Runnable> later) {
        this.later = later;
    }

    /** No task runs any more. */
    void kill() {
        killed = true;
        tasks.clear();
    }

    @Override
    public void execute(Runnable task) {
        if (!killed && !ended) {
            tasks.add(task);
            later.accept(0L, this::runOne);
        }
    }

    private void runOne() {
        Runnable next = tasks.poll();
        if (next != null) {
            next.run();
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        if (delay == 0) {
            execute(task);
        } else {
            later.accept(unit.toMillis(delay), () -> execute(task));
        }
        return new Task(task);
    }

    private static final class Task extends FutureTask<Object> implements ScheduledFuture<Object> {
        Task(Runnable what) {
            super(what, null);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return 0;
        }
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
        while (!tasks.isEmpty()) {
            runOne();
        }
        ended = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        shutdown();
        return List.of();
    }

    @Override
    public boolean isShutdown() {
        return ended;
    }

    @Override
    public boolean isTerminated() {
        return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return ended;
    }
}

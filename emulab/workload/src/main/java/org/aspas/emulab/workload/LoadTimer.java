package org.aspas.emulab.workload;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What a generator does later, on one thread of the process. {@link CompletableFuture#orTimeout} would do on JDK 17. On JDK 25 it keeps
 * waking a thread of the common pool up, which interrupts the threads that serve. Thread-safe.
 */
final class LoadTimer {
    private static final ScheduledThreadPoolExecutor TIMER = start();

    private LoadTimer() {}

    private static ScheduledThreadPoolExecutor start() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "load-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    static void after(long nanos, Executor others, Runnable task) {
        var unused = TIMER.schedule(() -> others.execute(task), nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Fails a future by a {@link TimeoutException} when it has not ended in time.
     *
     * @return the same future
     */
    static <T> CompletableFuture<T> within(long seconds, CompletableFuture<T> future) {
        ScheduledFuture<?> end =
                TIMER.schedule(() -> future.completeExceptionally(new TimeoutException()), seconds, TimeUnit.SECONDS);
        var unused = future.whenComplete((value, failure) -> end.cancel(false));
        return future;
    }
}

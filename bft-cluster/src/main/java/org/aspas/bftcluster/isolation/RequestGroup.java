package org.aspas.bftcluster.isolation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Requests on their way to the local library that wait for others, as a {@link Grouping} says, and no longer than one and a half
 * times what an order usually takes, or twice that where the wait begins anew. They stay in their order, also with those that
 * need not wait. For one thread.
 */
final class RequestGroup {
    /** The longest wait, of the usual time of an order: words take two ways, or one whole order, and some wait for them all of it. */
    private static final long PERCENT = 150;

    private static final long WHOLE = 100;

    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Grouping grouping;
    private final LongSupplier usualNanos;
    private final LongSupplier nanoTime;
    private final Timer timer;
    private final Consumer<Runnable> together;
    private final List<Runnable> waiting = new ArrayList<>();
    private long deadline;
    /** Whether the wait of this group began anew, which it does once: whoever lies cannot hold the others for ever. */
    private boolean anew;
    /** Counts waits: the time of one that has ended, or began anew, means nothing. */
    private long waits;

    /** Runs tasks later, on the thread of the group. */
    @FunctionalInterface
    interface Timer {
        /** Runs a task after so many nanoseconds, or never where there is no room for it. */
        void after(long nanos, Runnable task);
    }

    /**
     * Makes a group without requests.
     *
     * @param usualNanos how long an order usually takes
     * @param timer ends a wait; where it does not, the next request does
     * @param together runs what gives the library several requests, so that it begins none of them before it has all
     */
    RequestGroup(
            Grouping grouping,
            LongSupplier usualNanos,
            LongSupplier nanoTime,
            Timer timer,
            Consumer<Runnable> together) {
        this.grouping = grouping;
        this.usualNanos = usualNanos;
        this.nanoTime = nanoTime;
        this.timer = timer;
        this.together = together;
    }

    /** A request with this command goes to the library, at once or in a moment. */
    void add(byte[] command, Runnable give) {
        boolean first = waiting.isEmpty();
        waiting.add(give);
        Grouping.Next next = grouping.next(command, !first);
        if (next == Grouping.Next.GO) {
            flush();
        } else if (first || (next == Grouping.Next.WAIT_ANEW && !anew)) {
            anew = !first;
            begin();
        } else if (nanoTime.getAsLong() - deadline >= 0) {
            late();
        }
    }

    private void begin() {
        long patience = Math.min(LONGEST_NANOS, usualNanos.getAsLong() * PERCENT / WHOLE);
        long wait = ++waits;
        deadline = nanoTime.getAsLong() + patience;
        timer.after(patience, () -> {
            if (wait == waits) {
                late();
            }
        });
    }

    private void late() {
        grouping.late();
        flush();
    }

    private void flush() {
        waits++;
        List<Runnable> all = List.copyOf(waiting);
        waiting.clear();
        together.accept(() -> all.forEach(Runnable::run));
    }
}

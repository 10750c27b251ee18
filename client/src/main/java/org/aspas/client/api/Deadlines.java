package org.aspas.client.api;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.client.core.CallId;
import org.jspecify.annotations.Nullable;

/** The deadlines of calls, with one timer for the earliest. Confined to the client's mailbox. */
final class Deadlines {
    private static final int MANY = 1024;

    /** The part of a call that a deadline limits. */
    enum Part {
        ANSWER,
        CONFIRMATION
    }

    /**
     * A deadline.
     *
     * @param at when it expires, on the clock of {@link System#nanoTime}
     */
    record Deadline(CallId call, Part part, Duration limit, long at) {}

    private final PriorityQueue<Deadline> open = new PriorityQueue<>((one, other) -> Long.signum(one.at - other.at));
    private final ScheduledExecutorService timer;
    private final Executor mailbox;
    private final Predicate<Deadline> awaited;
    private final Consumer<Deadline> expired;
    private @Nullable ScheduledFuture<?> armed;
    private long armedFor;
    private int forgetAt = MANY;

    Deadlines(
            ScheduledExecutorService timer, Executor mailbox, Predicate<Deadline> awaited, Consumer<Deadline> expired) {
        this.timer = timer;
        this.mailbox = mailbox;
        this.awaited = awaited;
        this.expired = expired;
    }

    /** Adds a deadline for a part of a call, counted from the call's start; zero for none. */
    void add(CallId call, Part part, Duration limit, long started) {
        if (!limit.isZero()) {
            open.add(new Deadline(call, part, limit, started + limit.toNanos()));
            forgetWhatCame();
            arm();
        }
    }

    /** Drops the deadlines of ended calls, because most calls end long before their deadlines. */
    private void forgetWhatCame() {
        if (open.size() > forgetAt) {
            open.removeIf(awaited.negate());
            forgetAt = Math.max(MANY, 2 * open.size());
        }
    }

    private void arm() {
        Deadline next = open.peek();
        ScheduledFuture<?> before = armed;
        if (next == null || (before != null && armedFor - next.at <= 0)) {
            return;
        }
        if (before != null) {
            before.cancel(false);
        }
        armedFor = next.at;
        try {
            armed = timer.schedule(
                    () -> mailbox.execute(this::expire), next.at - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            armed = null; // The shared resources are closed, and the client ends.
        }
    }

    private void expire() {
        armed = null;
        long now = System.nanoTime();
        for (Deadline next = open.peek(); next != null && next.at - now <= 0; next = open.peek()) {
            open.remove();
            if (awaited.test(next)) {
                expired.accept(next);
            }
        }
        arm();
    }

    void close() {
        open.clear();
        ScheduledFuture<?> before = armed;
        if (before != null) {
            before.cancel(false);
        }
    }
}

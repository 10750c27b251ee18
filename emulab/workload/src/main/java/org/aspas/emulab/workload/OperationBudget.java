package org.aspas.emulab.workload;

import java.util.concurrent.atomic.AtomicLong;

/** How long, and for how many operations, a loop goes on. Thread-safe. */
final class OperationBudget {
    private final long deadlineNanos;
    private final AtomicLong left;
    private volatile boolean stopped;

    /**
     * A budget.
     *
     * @param deadlineNanos until when operations begin
     * @param operations how many begin; 0 for as many as go
     */
    OperationBudget(long deadlineNanos, long operations) {
        this.deadlineNanos = deadlineNanos;
        this.left = new AtomicLong(operations == 0 ? Long.MAX_VALUE : operations);
    }

    /** Whether one more operation may begin at this moment, which takes it. */
    boolean take(long nowNanos) {
        return !stopped && nowNanos - deadlineNanos < 0 && left.getAndDecrement() > 0;
    }

    void stop() {
        stopped = true;
    }
}

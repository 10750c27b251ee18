package org.aspas.emulab.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Closed-loop load: each client has a number of operations open, and begins the next one when one of them ends. */
final class ClosedLoop {
    private final List<OperationRunner> clients;
    private final OperationSource source;
    private final int openEach;
    private final OperationBudget budget;
    private final LoadThreads threads;
    private final GeneratorRecord record;
    private final CountDownLatch lanes;
    private final AtomicReference<@Nullable RuntimeException> bug = new AtomicReference<>();

    /**
     * A loop.
     *
     * @param clients who carries operations out
     * @param source who chooses them
     * @param openEach how many operations each client has open, from 1
     * @param budget when it ends
     * @param threads where operations begin
     * @param record is told how long there were places for operations
     */
    ClosedLoop(
            List<OperationRunner> clients,
            OperationSource source,
            int openEach,
            OperationBudget budget,
            LoadThreads threads,
            GeneratorRecord record) {
        this.clients = clients;
        this.source = source;
        this.openEach = openEach;
        this.budget = budget;
        this.threads = threads;
        this.record = record;
        this.lanes = new CountDownLatch(clients.size() * openEach);
    }

    /** Runs until the budget is used up and every operation has ended. */
    void run() throws InterruptedException {
        for (int open = 0; open < openEach; open++) {
            for (int client = 0; client < clients.size(); client++) {
                int mine = client;
                threads.execute(() -> step(mine, System.nanoTime()));
            }
        }
        try {
            lanes.await();
        } finally {
            budget.stop();
        }
        RuntimeException thrown = bug.get();
        if (thrown != null) {
            throw new IllegalStateException("an operation could not be begun", thrown);
        }
    }

    /** Begins an operation in a place that the client has had since some moment. */
    private void step(int client, long since) {
        long now = System.nanoTime();
        record.held(now - since);
        if (!budget.take(now)) {
            lanes.countDown();
            return;
        }
        try {
            var unused = clients.get(client)
                    .run(source.next(client), now)
                    .whenComplete((end, never) -> threads.execute(() -> step(client, now)));
        } catch (RuntimeException thrown) {
            bug.compareAndSet(null, thrown);
            budget.stop();
            lanes.countDown();
        }
    }
}

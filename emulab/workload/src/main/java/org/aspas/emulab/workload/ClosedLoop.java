package org.aspas.emulab.workload;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Closed-loop load: each client has a number of operations open, and begins the next one when one of them ends. */
final class ClosedLoop {
    private final List<OperationRunner> clients;
    private final OperationSource source;
    private final LoadModel.Closed model;
    private final OperationBudget budget;
    private final LoadThreads threads;
    private final GeneratorRecord record;
    private final CountDownLatch lanes;
    private final AtomicReference<@Nullable RuntimeException> bug = new AtomicReference<>();

    ClosedLoop(
            List<OperationRunner> clients,
            OperationSource source,
            LoadModel.Closed model,
            OperationBudget budget,
            LoadThreads threads,
            GeneratorRecord record) {
        this.clients = clients;
        this.source = source;
        this.model = model;
        this.budget = budget;
        this.threads = threads;
        this.record = record;
        this.lanes = new CountDownLatch(clients.size() * model.openEach());
    }

    /** Runs until the budget is used up and every operation has ended. */
    void run() throws InterruptedException {
        for (int open = 0; open < model.openEach(); open++) {
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
            var unused =
                    clients.get(client).run(source.next(client), now).whenComplete((end, never) -> next(client, now));
        } catch (RuntimeException thrown) {
            bug.compareAndSet(null, thrown);
            budget.stop();
            lanes.countDown();
        }
    }

    /** Begins the next operation in the place of one that has ended, and whose beginning is given, when the pace lets it. */
    private void next(int client, long begun) {
        long ended = System.nanoTime();
        long pause = begun + TimeUnit.MILLISECONDS.toNanos(model.paceMillis()) - ended;
        if (pause <= 0) {
            threads.execute(() -> step(client, begun));
            return;
        }
        record.held(ended - begun); // A client that pauses has no place for an operation.
        LoadTimer.after(pause, threads, () -> step(client, ended + pause));
    }
}

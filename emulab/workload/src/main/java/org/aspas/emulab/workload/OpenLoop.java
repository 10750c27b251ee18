package org.aspas.emulab.workload;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;

/**
 * Open-loop load: one thread begins each operation at its moment, whatever became of those before; the clients take turns.
 * When too many are open it gives up: a system that is asked for more than it can do answers ever later.
 */
final class OpenLoop {
    /** With this many operations open the run ends. */
    static final int MOST_OPEN = 20_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private final List<OperationRunner> clients;
    private final OperationSource source;
    private final LoadModel.Open model;
    private final SplittableRandom random;
    private final OperationBudget budget;
    private final LoadClock clock;
    private final GeneratorRecord record;
    private final Phaser open = new Phaser(1);

    OpenLoop(
            List<OperationRunner> clients,
            OperationSource source,
            LoadModel.Open model,
            long seed,
            OperationBudget budget,
            LoadClock clock,
            GeneratorRecord record) {
        this.clients = clients;
        this.source = source;
        this.model = model;
        this.random = new SplittableRandom(seed);
        this.budget = budget;
        this.clock = clock;
        this.record = record;
    }

    /** Begins operations until the budget is used up, or too many are open. */
    void begin() throws InterruptedException {
        double meanGap = NANOS_PER_SECOND / model.perSecond();
        long start = clock.nanos();
        double at = 0;
        for (int next = 0; ; next = (next + 1) % clients.size()) {
            at += model.arrivals().gap(meanGap, random);
            long intended = start + (long) at;
            if (!budget.take(intended)) {
                break;
            }
            clock.sleepUntil(intended);
            if (record.open() >= MOST_OPEN) {
                record.gaveUp(MOST_OPEN);
                break;
            }
            begin(next, intended);
        }
        record.scheduleEnded();
    }

    void awaitEnds() throws InterruptedException {
        open.awaitAdvanceInterruptibly(open.arrive());
    }

    private void begin(int client, long intended) {
        long begun = clock.nanos();
        record.began(begun - intended);
        open.register();
        var unused = clients.get(client).run(source.next(client), intended).whenComplete((end, never) -> {
            record.ended(end - begun);
            open.arriveAndDeregister();
        });
    }
}

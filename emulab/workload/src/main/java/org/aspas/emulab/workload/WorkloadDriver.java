package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;

/**
 * Runs the phases of a workload over clients.
 *
 * <p>YCSB's generators draw from the thread's own source of randomness, which cannot be seeded; the seed decides what
 * this package chooses itself.
 */
public final class WorkloadDriver {
    private final List<StoreSession> sessions;
    private final List<ToleranceClass> classes;
    private final Measures measures;
    private final Ledger ledger;
    private final long seed;
    private final LoadModel model;

    /**
     * A driver of a closed loop with one operation of each client open.
     *
     * @param seed decides the elements of sets
     */
    public WorkloadDriver(
            List<StoreSession> sessions, List<ToleranceClass> classes, Measures measures, Ledger ledger, long seed) {
        this(sessions, classes, measures, ledger, seed, LoadModel.ONE_EACH);
    }

    /**
     * A driver.
     *
     * @param seed decides the elements of sets, and when operations of an open loop begin
     */
    public WorkloadDriver(
            List<StoreSession> sessions,
            List<ToleranceClass> classes,
            Measures measures,
            Ledger ledger,
            long seed,
            LoadModel model) {
        if (sessions.size() != classes.size()) {
            throw new IllegalArgumentException(sessions.size() + " clients but " + classes.size() + " classes");
        }
        this.sessions = List.copyOf(sessions);
        this.classes = List.copyOf(classes);
        this.measures = measures;
        this.ledger = ledger;
        this.seed = seed;
        this.model = model;
    }

    /**
     * Runs the phases one after the other and returns when every client has finished its last operation.
     *
     * @param begun told each phase as it begins
     * @throws InterruptedException when the calling thread is interrupted; no more operations begin then
     * @throws WorkloadException when YCSB refuses the properties
     */
    public void run(List<WorkloadPhase> phases, Consumer<WorkloadPhase> begun)
            throws InterruptedException, WorkloadException {
        List<OperationRunner> clients = new ArrayList<>();
        for (int client = 0; client < sessions.size(); client++) {
            clients.add(new OperationRunner(
                    client, sessions.get(client), classes.get(client), measures, ledger, LoadClock.SYSTEM));
        }
        try (LoadThreads threads = new LoadThreads()) {
            long before = threads.processorNanos();
            for (WorkloadPhase phase : phases) {
                OperationSource source = phase.workload().source(clients.size(), seed);
                begun.accept(phase);
                run(phase, clients, source, threads);
            }
            measures.generator().processorTime(threads.processorNanos() - before);
        }
    }

    private void run(WorkloadPhase phase, List<OperationRunner> clients, OperationSource source, LoadThreads threads)
            throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(phase.millis());
        OperationBudget budget = new OperationBudget(deadline, phase.operations());
        GeneratorRecord record = measures.generator();
        if (model instanceof LoadModel.Open open) {
            OpenLoop loop = new OpenLoop(clients, source, open, seed, budget, LoadClock.SYSTEM, record);
            loop.begin();
            loop.awaitEnds();
        } else if (model instanceof LoadModel.Closed closed) {
            new ClosedLoop(clients, source, closed, budget, threads, record).run();
        } else {
            throw new IllegalStateException("nobody has measured what saturates the system: " + model.label());
        }
    }

    /** Closed-loop load: each client has a number of operations open, and begins the next one when one of them ends. */
    private static final class ClosedLoop {
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
                var unused = clients.get(client)
                        .run(source.next(client), now)
                        .whenComplete((end, never) -> next(client, now));
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

    /**
     * Open-loop load: one thread begins each operation at its moment, whatever became of those before; the clients take turns.
     * When too many are open it gives up: a system that is asked for more than it can do answers ever later.
     */
    static final class OpenLoop {
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
}

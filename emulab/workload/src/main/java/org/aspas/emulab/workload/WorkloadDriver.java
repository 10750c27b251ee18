package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
}

package org.aspas.emulab.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Runs the phases of a workload, one thread per client, each client one operation after the other.
 *
 * <p>YCSB's generators draw from the thread's own source of randomness, which cannot be seeded; the seed decides what
 * this package chooses itself.
 */
public final class WorkloadDriver {
    /** How many records a workload has. */
    public static final int RECORDS = 1000;

    private final List<StoreSession> sessions;
    private final List<ToleranceClass> classes;
    private final Measures measures;
    private final Ledger ledger;
    private final long seed;

    /**
     * A driver.
     *
     * @param sessions the clients
     * @param classes the class of each
     * @param measures where times go
     * @param ledger where acknowledgments go
     * @param seed decides the elements of sets
     */
    public WorkloadDriver(
            List<StoreSession> sessions, List<ToleranceClass> classes, Measures measures, Ledger ledger, long seed) {
        if (sessions.size() != classes.size()) {
            throw new IllegalArgumentException(sessions.size() + " clients but " + classes.size() + " classes");
        }
        this.sessions = List.copyOf(sessions);
        this.classes = List.copyOf(classes);
        this.measures = measures;
        this.ledger = ledger;
        this.seed = seed;
    }

    /**
     * Runs the phases one after the other and returns when every client has finished its last operation.
     *
     * @param phases what to run
     * @param begun told each phase as it begins
     * @throws InterruptedException when the calling thread is interrupted; the clients' threads stop too
     * @throws WorkloadException when YCSB refuses the properties
     */
    public void run(List<WorkloadPhase> phases, Consumer<WorkloadPhase> begun)
            throws InterruptedException, WorkloadException {
        for (WorkloadPhase phase : phases) {
            Properties properties = phase.mix().properties(RECORDS);
            // YCSB's own measurements are a global that CoreWorkload's constructor wants to find; they are not read
            // here.
            Measurements.setProperties(properties);
            CoreWorkload workload = new CoreWorkload();
            workload.init(properties);
            begun.accept(phase);
            run(phase, workload);
            workload.cleanup();
        }
    }

    private void run(WorkloadPhase phase, CoreWorkload workload) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(phase.millis());
        List<Thread> threads = new ArrayList<>();
        for (int client = 0; client < sessions.size(); client++) {
            AspasYcsbDb db = database(client, phase);
            Thread thread = new Thread(() -> operate(db, workload, deadline), "ycsb-client-" + client);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            threads.forEach(Thread::interrupt);
        }
    }

    private AspasYcsbDb database(int client, WorkloadPhase phase) {
        Random random = new Random(seed * 31 + client);
        return new AspasYcsbDb(sessions.get(client), classes.get(client), phase.kind(), measures, ledger, random);
    }

    private static void operate(AspasYcsbDb db, CoreWorkload workload, long deadline) {
        while (System.nanoTime() - deadline < 0 && !Thread.currentThread().isInterrupted()) {
            workload.doTransaction(db, NO_THREAD_STATE);
        }
    }

    /** {@link CoreWorkload} keeps no state per thread. */
    private static final Object NO_THREAD_STATE = new Object();
}

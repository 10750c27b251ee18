package org.aspas.emulab.experiments;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.aspas.certify.identity.Ed25519Choice;
import org.aspas.emulab.experiments.usage.SignatureCost;

/**
 * Burns processor time beside a run: as many threads as there are processors, of usual priority, sign and verify for their share of
 * it in bursts. So a quiet run has as little left of the machine as one under attack. What a burst could not have is caught up
 * with later.
 */
final class Burner implements AutoCloseable {
    private static final long PULSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long BURST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private final double share;
    private final AtomicLongArray burnt;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    /**
     * Starts the threads at once.
     *
     * @param cores how many processors they keep busy together, such as 0.3
     */
    Burner(double cores, int threads) {
        this.share = cores / threads;
        this.burnt = new AtomicLongArray(threads);
        for (int number = 0; number < threads; number++) {
            int own = number;
            Thread thread = new Thread(() -> burn(own), "burn-" + number);
            thread.setDaemon(true);
            this.threads.add(thread);
            thread.start();
        }
    }

    private void burn(int number) {
        SignatureCost work = new SignatureCost(Ed25519Choice.ofThisProcess().scheme());
        long start = System.nanoTime();
        long before = CLOCK.getCurrentThreadCpuTime();
        while (!over) {
            long spent = CLOCK.getCurrentThreadCpuTime() - before;
            burnt.set(number, spent);
            if (spent < share * (System.nanoTime() - start)) {
                work.nanosToVerify(BURST_NANOS);
            } else {
                LockSupport.parkNanos(PULSE_NANOS);
            }
        }
    }

    /** The processor time that was burnt so far, in seconds. */
    double seconds() {
        long sum = 0;
        for (int number = 0; number < burnt.length(); number++) {
            sum += burnt.get(number);
        }
        return sum / NANOS_PER_SECOND;
    }

    @Override
    public void close() {
        over = true;
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.aspas.emulab.experiments.costs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.emulab.sim.processor.Linear;
import org.aspas.emulab.sim.processor.StepKind;
import org.aspas.emulab.sim.processor.StepMeter;

/**
 * Measures steps by the processor time of the thread that runs them, so that what else runs on the machine does not count.
 * For one thread.
 */
final class StepTimes implements StepMeter {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int OVERHEAD_ROUNDS = 100_000;

    private final Map<String, LeastSquares> kinds = new TreeMap<>();
    private final long overhead = overhead();
    private boolean measuring;
    private long begun;

    /** What a pair of readings adds to a measured time, in nanoseconds. */
    private static long overhead() {
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < OVERHEAD_ROUNDS; i++) {
            THREADS.getCurrentThreadCpuTime();
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / OVERHEAD_ROUNDS;
    }

    /** Counts what is measured from now on; nothing before was counted. */
    void count() {
        measuring = true;
    }

    @Override
    public void begin() {
        begun = THREADS.getCurrentThreadCpuTime();
    }

    @Override
    public void end(String step, long size) {
        long nanos = Math.max(0, THREADS.getCurrentThreadCpuTime() - begun - overhead);
        if (measuring) {
            kinds.computeIfAbsent(step, any -> new LeastSquares()).add(size, nanos);
            kinds.computeIfAbsent(StepKind.other(step), any -> new LeastSquares())
                    .add(0, nanos);
        }
    }

    Map<String, Linear> costs() {
        Map<String, Linear> costs = new TreeMap<>();
        kinds.forEach((kind, samples) -> costs.put(kind, samples.line()));
        return costs;
    }

    Map<String, LeastSquares> samples() {
        return kinds;
    }
}

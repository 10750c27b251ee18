package org.aspas.emulab.experiments.run;

import org.aspas.emulab.sim.node.Figures;

/**
 * What a τ does to a workload.
 *
 * @param tau from 1, or 0 for unbounded
 * @param waitedShare which part of the updates waited: for room in the window, or with τ = 1 for their own confirmation
 * @param updateP50Ms from an update's submission to its answer, waiting included: the median, in milliseconds
 * @param updateP99Ms the 99th percentile
 * @param confirmedP50Ms from an update's submission to its confirmation
 * @param confirmedP99Ms the 99th percentile
 * @param unconfirmedP50 how many of its client's own updates an update found unconfirmed
 * @param unconfirmedP99 the 99th percentile
 * @param exposure the most updates of one client that were unconfirmed at once
 * @param violations guarantees that did not hold: anything but 0 is a defect
 */
public record ToleranceRow(
        long tau,
        double waitedShare,
        double updateP50Ms,
        double updateP99Ms,
        double confirmedP50Ms,
        double confirmedP99Ms,
        long unconfirmedP50,
        long unconfirmedP99,
        long exposure,
        int violations) {
    private static final double MICROS_PER_MILLI = 1e3;

    static ToleranceRow of(long tau, Figures figures, int violations) {
        return new ToleranceRow(
                tau,
                figures.waitedShare(),
                figures.latency(0.5) / MICROS_PER_MILLI,
                figures.latency(0.99) / MICROS_PER_MILLI,
                figures.lag(0.5) / MICROS_PER_MILLI,
                figures.lag(0.99) / MICROS_PER_MILLI,
                figures.unconfirmedFound(0.5),
                figures.unconfirmedFound(0.99),
                figures.exposure(),
                violations);
    }
}

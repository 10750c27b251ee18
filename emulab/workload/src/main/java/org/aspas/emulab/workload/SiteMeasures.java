package org.aspas.emulab.workload;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * How long updates wait for their confirmations, for the clients of each site. Thread-safe: clients write while others read.
 */
public final class SiteMeasures {
    private final IntUnaryOperator siteOf;
    private final Map<Integer, Histogram> lags = new ConcurrentHashMap<>();
    private final Map<Integer, Histogram> whole = new ConcurrentHashMap<>();

    public SiteMeasures(IntUnaryOperator siteOf) {
        this.siteOf = siteOf;
    }

    /**
     * An update's confirmation was verified just now.
     *
     * @param tolerance the client's class: a τ=1 client is the one that waits for it
     * @param lagNanos since the verified answer
     * @param sentNanos since the client was given the update
     */
    void confirmed(int client, ToleranceClass tolerance, long lagNanos, long sentNanos) {
        int site = siteOf.applyAsInt(client);
        LatencyHistograms.record(of(lags, site), lagNanos);
        if (tolerance.equals(ToleranceClass.TAU_1)) {
            LatencyHistograms.record(of(whole, site), sentNanos);
        }
    }

    private static Histogram of(Map<Integer, Histogram> histograms, int site) {
        return histograms.computeIfAbsent(site, any -> LatencyHistograms.create());
    }

    /** The sites at which something was confirmed. */
    public Set<Integer> sites() {
        return new TreeSet<>(lags.keySet());
    }

    /** From the verified answer to the verified confirmation, of all clients of a site; in microseconds, a copy. */
    public Histogram lag(int site) {
        return of(lags, site).copy();
    }

    /** From sending to the verified confirmation, of the τ=1 clients of a site; in microseconds, a copy. */
    public Histogram sendingToConfirmation(int site) {
        return of(whole, site).copy();
    }
}

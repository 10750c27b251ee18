package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What clients experienced in virtual time. */
public final class Figures {
    private final List<Long> latencies = new ArrayList<>();
    private final List<Long> lags = new ArrayList<>();
    private int latenciesFrom;
    private int lagsFrom;
    private final List<Long> found = new ArrayList<>();
    private long waited;
    private long exposure;
    private long submitted;
    private long failed;
    private long reads;

    void submitted() {
        submitted++;
    }

    void forgotten() {
        submitted--;
    }

    void failed() {
        failed++;
    }

    void read() {
        reads++;
    }

    void answered(long micros) {
        latencies.add(micros);
    }

    void confirmed(long micros) {
        lags.add(micros);
    }

    /** An update found so many of its client's own unconfirmed, and τ made it wait or not. */
    void found(int unconfirmed, boolean waits, int mostAtOnce) {
        found.add((long) unconfirmed);
        waited += waits ? 1 : 0;
        exposure = Math.max(exposure, mostAtOnce);
    }

    /** The most updates of one client that were unconfirmed at once. */
    public long exposure() {
        return exposure;
    }

    /** How many of its client's own updates an update found unconfirmed, at a fraction of all; 0 without any. */
    public long unconfirmedFound(double fraction) {
        return at(found, fraction);
    }

    /** Which part of the updates τ made wait, 0 to 1; 0 without any. */
    public double waitedShare() {
        return found.isEmpty() ? 0 : (double) waited / found.size();
    }

    /** How many updates were submitted, but for those that clients forgot in a crash before they signed them. */
    public long submissions() {
        return submitted;
    }

    /** How many updates and reads failed. */
    public long failures() {
        return failed;
    }

    public long readsDone() {
        return reads;
    }

    /** How many updates were answered. */
    public long answers() {
        return latencies.size();
    }

    public long confirmations() {
        return lags.size();
    }

    /** The time from an update's submission to its answer, at a fraction of all, in microseconds; 0 without any. */
    public long latency(double fraction) {
        return at(latencies, fraction);
    }

    /** The time from an update's submission to its confirmation, at a fraction of all, in microseconds; 0 without any. */
    public long lag(double fraction) {
        return at(lags, fraction);
    }

    /** From now on it is measured: {@link #measured} is of what is answered and confirmed after this moment. */
    public void measureAnew() {
        latenciesFrom = latencies.size();
        lagsFrom = lags.size();
    }

    /** What was answered and confirmed since {@link #measureAnew}. */
    public Measured measured() {
        return new Measured(
                List.copyOf(latencies.subList(latenciesFrom, latencies.size())),
                List.copyOf(lags.subList(lagsFrom, lags.size())));
    }

    /**
     * Durations in microseconds, in the order of their ends.
     *
     * @param latencies from submissions to answers
     * @param lags from submissions to confirmations
     */
    public record Measured(List<Long> latencies, List<Long> lags) {
        /** The duration at a fraction of all, or 0 without any. */
        public static long at(List<Long> durations, double fraction) {
            return Figures.at(durations, fraction);
        }
    }

    private static long at(List<Long> values, double fraction) {
        if (values.isEmpty()) {
            return 0;
        }
        List<Long> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get((int) Math.min(sorted.size() - 1, Math.floor(fraction * sorted.size())));
    }
}

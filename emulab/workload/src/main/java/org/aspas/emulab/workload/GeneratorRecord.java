package org.aspas.emulab.workload;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * What the generator itself did in a run, so that it can be told whether the figures are the system's or its own.
 * Thread-safe.
 *
 * <p>By Little's law the mean number of open operations N is their throughput X times their mean latency R. Here N comes
 * from how long operations, or the places for them, were the system's; X·R from the latencies that are reported. In a
 * closed loop N/(X·R) is above 1 by the time in which a client has a place for an operation and the generator has not
 * begun it. In an open loop it is below 1 by the time in which an operation should have begun and has not.
 */
public final class GeneratorRecord {
    private final Histogram late = LatencyHistograms.create();
    private final LongAdder heldNanos = new LongAdder();
    private final LongAdder latencyNanos = new LongAdder();
    private final LongAdder processorNanos = new LongAdder();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger mostOpen = new AtomicInteger();
    private volatile int openAtEnd;
    private volatile Optional<String> overload = Optional.empty();

    /** Notes that a place for an operation was a client's for so long. */
    void held(long nanos) {
        heldNanos.add(nanos);
    }

    /** Notes the latency of an operation, well ended or not. */
    void responded(long nanos) {
        latencyNanos.add(nanos);
    }

    /** Notes that an operation of an open loop began, so long after its moment. */
    void began(long lateNanos) {
        LatencyHistograms.record(late, lateNanos);
        mostOpen.accumulateAndGet(open.incrementAndGet(), Math::max);
    }

    /** Notes that an operation of an open loop ended, so long after it began. */
    void ended(long nanos) {
        open.decrementAndGet();
        heldNanos.add(nanos);
    }

    void scheduleEnded() {
        openAtEnd = open.get();
    }

    /** Notes that the loop ended before its time, for so many operations were open. */
    void gaveUp(int operations) {
        overload = Optional.of(operations + " operations were open: the system does less than it is asked for");
    }

    void processorTime(long nanos) {
        processorNanos.add(nanos);
    }

    /** How many operations of an open loop are open now. */
    public int open() {
        return open.get();
    }

    /** The most operations of an open loop that were ever open. */
    public int mostOpen() {
        return mostOpen.get();
    }

    /** How many operations of an open loop were open when the last one had begun. */
    public int openAtEnd() {
        return openAtEnd;
    }

    /** Why the loop ended before its time; empty when it did not. */
    public Optional<String> overload() {
        return overload;
    }

    /** A copy of how late operations of an open loop began, in microseconds. */
    public Histogram late() {
        return late.copy();
    }

    /** N/(X·R); 1 when nothing was done. */
    public double little() {
        long latency = latencyNanos.sum();
        return latency == 0 ? 1 : heldNanos.sum() / (double) latency;
    }

    /** The processor time of the generator's own threads in seconds; what clients do for an operation is not in it. */
    public double processorSeconds() {
        return processorNanos.sum() / (double) TimeUnit.SECONDS.toNanos(1);
    }
}

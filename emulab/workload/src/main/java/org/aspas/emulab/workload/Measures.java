package org.aspas.emulab.workload;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntUnaryOperator;
import org.HdrHistogram.Histogram;

/**
 * The measurements of one run. Thread-safe: clients write while others read.
 *
 * <p>The certification lag runs from the moment the client has verified the server's answer to an update to the moment it
 * has verified the update's confirmation. A τ=1 client hands out the answer only then, so that the lag is in the latency
 * of its updates.
 */
public final class Measures {
    /** Lag is kept for this many equal parts of the run, so that growth can be seen. */
    public static final int PARTS = 3;

    private static final int KEPT_ERRORS = 5;

    private final long startNanos;
    private final long plannedNanos;
    private final Map<ToleranceClass, LatencyHistograms> latency = new ConcurrentHashMap<>();
    private final List<Histogram> lagByPart =
            List.of(LatencyHistograms.create(), LatencyHistograms.create(), LatencyHistograms.create());
    private final SiteMeasures sites;
    private final GeneratorRecord generator = new GeneratorRecord();
    private final LongAdder operations = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LongAdder failedUpdates = new LongAdder();
    private final ConcurrentLinkedQueue<String> firstErrors = new ConcurrentLinkedQueue<>();
    private final AtomicLong newestCertificate = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition allConfirmed = lock.newCondition();
    private long unconfirmed;

    /**
     * Measurements that start at a moment.
     *
     * @param startNanos the start, as {@link System#nanoTime} tells it
     * @param plannedNanos how long the run is meant to last, in nanoseconds, from 1
     */
    public Measures(long startNanos, long plannedNanos) {
        this(startNanos, plannedNanos, client -> 0);
    }

    /** The same, for clients at several sites: the number of each client's site. */
    public Measures(long startNanos, long plannedNanos, IntUnaryOperator siteOf) {
        this.sites = new SiteMeasures(siteOf);
        this.startNanos = startNanos;
        this.plannedNanos = Math.max(1, plannedNanos);
    }

    public SiteMeasures sites() {
        return sites;
    }

    public GeneratorRecord generator() {
        return generator;
    }

    public void succeeded(ToleranceClass tolerance, OperationKind kind, long nanos) {
        operations.increment();
        LatencyHistograms.record(histogram(tolerance, kind), nanos);
    }

    /** Counts a failed operation or confirmation and keeps the first few sentences. */
    public void failed(String sentence) {
        errors.increment();
        if (firstErrors.size() < KEPT_ERRORS) {
            firstErrors.add(sentence);
        }
    }

    /** Counts an update that failed, or whose confirmation did, as {@link #failed} does. */
    public void failedUpdate(String sentence) {
        failedUpdates.increment();
        failed(sentence);
    }

    /** Notes that an update was submitted whose confirmation is awaited. */
    public void awaiting() {
        lock.lock();
        try {
            unconfirmed++;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that a confirmation came or failed. */
    public void settled() {
        lock.lock();
        try {
            unconfirmed--;
            if (unconfirmed == 0) {
                allConfirmed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records a confirmation, verified just now.
     *
     * @param sentNanos since the client was given the update
     */
    public void confirmed(int client, ToleranceClass tolerance, Write.Confirmed confirmation, long sentNanos) {
        if (!confirmation.equals(Write.Confirmed.WITHOUT_CERTIFICATE)) {
            confirmed(confirmation);
            sites.confirmed(client, tolerance, confirmation.lagNanos(), sentNanos);
        }
    }

    /** Records a confirmation, verified just now, wherever its client is. */
    public void confirmed(Write.Confirmed confirmation) {
        if (confirmation.equals(Write.Confirmed.WITHOUT_CERTIFICATE)) {
            return;
        }
        newestCertificate.accumulateAndGet(confirmation.certificate(), Math::max);
        long answeredNanos = System.nanoTime() - confirmation.lagNanos();
        long part = (answeredNanos - startNanos) * PARTS / plannedNanos;
        Histogram lag = lagByPart.get((int) Math.max(0, Math.min(part, PARTS - 1)));
        LatencyHistograms.record(lag, confirmation.lagNanos());
    }

    /** Waits until every submitted update is confirmed or has failed; false when the time is over first. */
    public boolean awaitConfirmations(long timeoutMillis) throws InterruptedException {
        long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        lock.lockInterruptibly();
        try {
            while (unconfirmed > 0) {
                if (left <= 0) {
                    return false;
                }
                left = allConfirmed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    public long unconfirmed() {
        lock.lock();
        try {
            return unconfirmed;
        } finally {
            lock.unlock();
        }
    }

    /** How many operations succeeded. */
    public long operations() {
        return operations.sum();
    }

    /** How many of them were updates, read-modify-writes among them. */
    public long updates() {
        return latency.values().stream()
                .mapToLong(own -> own.of(OperationKind.UPDATE).getTotalCount()
                        + own.of(OperationKind.READ_MODIFY_WRITE).getTotalCount())
                .sum();
    }

    /** How many operations or confirmations failed. */
    public long errors() {
        return errors.sum();
    }

    /** How many of those errors were updates or their confirmations. */
    public long failedUpdates() {
        return failedUpdates.sum();
    }

    public List<String> firstErrors() {
        return List.copyOf(firstErrors);
    }

    /** The highest number of a certificate that confirmed an update; 0 for none. */
    public long newestCertificate() {
        return newestCertificate.get();
    }

    /** A copy of the latencies of one class and kind of operation, in microseconds. */
    public Histogram latency(ToleranceClass tolerance, OperationKind kind) {
        return histogram(tolerance, kind).copy();
    }

    /** A copy of the certification lag in one part of the run, in microseconds. */
    public Histogram lag(int part) {
        return lagByPart.get(part).copy();
    }

    /** The classes of clients that have done something. */
    public Set<ToleranceClass> classes() {
        return new TreeSet<>(latency.keySet());
    }

    private Histogram histogram(ToleranceClass tolerance, OperationKind kind) {
        return latency.computeIfAbsent(tolerance, unused -> new LatencyHistograms())
                .of(kind);
    }
}

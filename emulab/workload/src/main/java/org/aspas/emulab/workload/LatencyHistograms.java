package org.aspas.emulab.workload;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** The latency of each kind of operation of one class of clients, in microseconds with three significant digits. Thread-safe. */
final class LatencyHistograms {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Map<OperationKind, Histogram> kinds = new EnumMap<>(OperationKind.class);

    LatencyHistograms() {
        for (OperationKind kind : OperationKind.values()) {
            kinds.put(kind, create());
        }
    }

    /** An empty histogram that any thread may write. */
    static Histogram create() {
        return new ConcurrentHistogram(HIGHEST_MICROS, DIGITS);
    }

    /** Records a duration; longer than ten minutes counts as ten minutes. */
    static void record(Histogram histogram, long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        histogram.recordValue(Math.max(0, Math.min(micros, HIGHEST_MICROS)));
    }

    Histogram of(OperationKind kind) {
        Histogram histogram = kinds.get(kind);
        if (histogram == null) {
            throw new IllegalStateException("no histogram of " + kind);
        }
        return histogram;
    }
}

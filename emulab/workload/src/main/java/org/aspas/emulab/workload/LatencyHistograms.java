package org.aspas.emulab.workload;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Update and read latency of one class of clients, in microseconds with three significant digits. Thread-safe. */
final class LatencyHistograms {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Histogram updates = create();
    private final Histogram reads = create();

    /** An empty histogram that any thread may write. */
    static Histogram create() {
        return new ConcurrentHistogram(HIGHEST_MICROS, DIGITS);
    }

    /** Records a duration; longer than ten minutes counts as ten minutes. */
    static void record(Histogram histogram, long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        histogram.recordValue(Math.max(0, Math.min(micros, HIGHEST_MICROS)));
    }

    Histogram of(boolean update) {
        return update ? updates : reads;
    }
}

package org.aspas.emulab.lab.delay;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.sim.world.Tiers;

/** How late the frames of one network were. Thread-safe. */
final class LatenessMeter {
    private static final long HIGHEST_MICROS = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;

    private final Tiers tiers;
    private final Histogram lateMicros = new ConcurrentHistogram(HIGHEST_MICROS, DIGITS);
    private final LongAdder askedNanos = new LongAdder();
    private final LongAdder measuredNanos = new LongAdder();

    LatenessMeter(Tiers tiers) {
        this.tiers = tiers;
    }

    void record(long sent, long due, long now) {
        askedNanos.add(due - sent);
        measuredNanos.add(now - sent);
        lateMicros.recordValue(Math.min(TimeUnit.NANOSECONDS.toMicros(now - due), HIGHEST_MICROS));
    }

    void reset() {
        lateMicros.reset();
        askedNanos.reset();
        measuredNanos.reset();
    }

    DelayReport.Network read() {
        long frames = lateMicros.getTotalCount();
        double each = frames == 0 ? 0 : 1e-6 / frames;
        return new DelayReport.Network(
                tiers.key(),
                frames,
                askedNanos.sum() * each,
                measuredNanos.sum() * each,
                lateMicros.getValueAtPercentile(50) / 1e3,
                lateMicros.getValueAtPercentile(95) / 1e3,
                lateMicros.getValueAtPercentile(99) / 1e3,
                lateMicros.getMaxValue() / 1e3);
    }
}

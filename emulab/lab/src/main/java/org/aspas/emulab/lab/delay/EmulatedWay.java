package org.aspas.emulab.lab.delay;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.client.transport.TransportDelay;
import org.aspas.emulab.sim.world.LinkQuality;

/** One direction of one connection in a world. Used by one thread at a time. */
final class EmulatedWay implements LinkDelay.Way, TransportDelay.Way {
    /** How often a way that a fault closes is checked again. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final LinkQuality quality;
    private final List<FaultWindow> faults;
    private final BooleanSupplier cut;
    private final FaultClock clock;
    private final DelayTimer timer;
    private final LatenessMeter meter;
    private final SplittableRandom random;
    /** When the last byte of the frame before has entered the link. */
    private long free = System.nanoTime();

    private long last = free;

    /**
     * A way that nothing travels on yet.
     *
     * @param cut whether a partition that is on no timeline closes it now
     * @param random draws the jitter
     */
    EmulatedWay(
            LinkQuality quality,
            List<FaultWindow> faults,
            BooleanSupplier cut,
            FaultClock clock,
            DelayTimer timer,
            LatenessMeter meter,
            SplittableRandom random) {
        this.quality = quality;
        this.faults = faults;
        this.cut = cut;
        this.clock = clock;
        this.timer = timer;
        this.meter = meter;
        this.random = random;
    }

    @Override
    public long due(long sent, int bytes) {
        free = later(sent, free) + quality.transmissionNanos(bytes);
        long jitter = quality.jitterMicros() == 0 ? 0 : random.nextLong(quality.jitterMicros() + 1);
        long travels = TimeUnit.MICROSECONDS.toNanos(quality.delayMicros() + jitter) + slower(sent);
        last = later(free + travels, last);
        return last;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private long slower(long moment) {
        long sum = 0;
        if (!faults.isEmpty() && clock.runs()) {
            for (FaultWindow fault : faults) {
                sum += fault.has(moment - clock.start()) ? fault.slowerNanos() : 0;
            }
        }
        return sum;
    }

    @Override
    public long open(long now) {
        if (cut.getAsBoolean()) {
            return now + ASK_AGAIN_NANOS;
        }
        if (!faults.isEmpty() && clock.runs()) {
            for (FaultWindow fault : faults) {
                if (fault.cut() && fault.has(now - clock.start())) {
                    return now + ASK_AGAIN_NANOS;
                }
            }
        }
        return now;
    }

    @Override
    public void left(long sent, long due, long now) {
        meter.record(sent, due, now);
    }

    @Override
    public void wake(long moment, Runnable task) {
        timer.wake(moment, task);
    }
}

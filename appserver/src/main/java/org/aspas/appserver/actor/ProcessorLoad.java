package org.aspas.appserver.actor;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How busy the processors are that this process may use, by all processes, over the last half second or so. The servers of a
 * process share one, since the virtual machine counts from one question to the next, whoever asks. Thread-safe.
 */
final class ProcessorLoad {
    static final ProcessorLoad OF_THIS_PROCESS = new ProcessorLoad();

    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final @Nullable OperatingSystemMXBean system =
            ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean known ? known : null;
    private final AtomicLong measuredAt = new AtomicLong(System.nanoTime());
    private volatile int percent;

    private ProcessorLoad() {}

    /** From 0 to 100; 0 where it cannot be told. */
    int percent() {
        long now = System.nanoTime();
        long last = measuredAt.get();
        if (system != null && now - last >= PERIOD_NANOS && measuredAt.compareAndSet(last, now)) {
            double load = system.getCpuLoad();
            int measured = load >= 0 && load <= 1 ? (int) Math.round(100 * load) : 0;
            percent = (percent + measured) / 2;
        }
        return percent;
    }
}

package org.aspas.bftcluster.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How many files and connections this process has open, and how many it may have. The system counts the open ones one by one, so they are
 * read again only after a while. There is nothing where the system does not tell. Thread-safe.
 */
final class OpenFiles implements MeterBinder {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Override
    public void bindTo(MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            Gauge.builder("process.files.open", new Kept(system::getOpenFileDescriptorCount), Kept::value)
                    .description("Open files and connections, as counted at most 10 seconds ago.")
                    .baseUnit("files")
                    .strongReference(true)
                    .register(registry);
            Gauge.builder("process.files.max", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("How many files and connections the process may have open.")
                    .baseUnit("files")
                    .register(registry);
        }
    }

    /** A figure that is read again only when it is old. */
    private static final class Kept {
        private final LongSupplier source;
        private long readAt = System.nanoTime() - KEPT_NANOS;
        private long value;

        Kept(LongSupplier source) {
            this.source = source;
        }

        synchronized long value() {
            long now = System.nanoTime();
            if (now - readAt >= KEPT_NANOS) {
                value = source.getAsLong();
                readAt = now;
            }
            return value;
        }
    }
}

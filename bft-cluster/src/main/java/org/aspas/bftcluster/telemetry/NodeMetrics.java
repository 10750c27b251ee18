package org.aspas.bftcluster.telemetry;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/**
 * The figures of one node for Prometheus, by Micrometer. Whoever reads them sets them first: nothing is counted in between.
 * {@link #read} and the setters are for one thread at a time.
 */
public final class NodeMetrics {
    public static final String MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double MICROS_PER_SECOND = 1e6;

    /**
     * Figures of the library that take as long to read as most others together. The first stops all threads to look at each of them. The
     * others read files of the control group; the rate of {@code process_cpu_time_ns_total} says as much.
     */
    private static final List<String> EXPENSIVE =
            List.of("jvm.threads.states", "system.cpu.usage", "process.cpu.usage");

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Series, Latest> latest = new HashMap<>();

    /** The tags are names and values in turns. */
    private record Series(String name, List<String> tags) {}

    /** The value that a meter has at the next reading. */
    private static final class Latest {
        private volatile double value;

        double value() {
            return value;
        }
    }

    /** The figures of a node, which are those of its process so far. */
    public NodeMetrics(NodeId node) {
        registry.config().commonTags("node", node.toString());
        EXPENSIVE.forEach(name -> registry.config().meterFilter(MeterFilter.denyNameStartsWith(name)));
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new OpenFiles().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    /**
     * Sets a present size.
     *
     * @param name such as {@code aspas.certificate.number}; its unit is a part of it
     * @param value not a number where there is none now
     * @param tags names and values in turns
     */
    public void gauge(String name, String help, double value, String... tags) {
        latest(
                        name,
                        tags,
                        meter -> Gauge.builder(name, meter, Latest::value)
                                .description(help)
                                .tags(tags)
                                .register(registry))
                .value = value;
    }

    /** Sets 1 or 0. */
    public void flag(String name, String help, boolean value, String... tags) {
        gauge(name, help, value ? 1 : 0, tags);
    }

    /** Sets how often something has happened since the start. */
    public void count(String name, String help, double value, String... tags) {
        latest(
                        name,
                        tags,
                        meter -> FunctionCounter.builder(name, meter, Latest::value)
                                .description(help)
                                .tags(tags)
                                .register(registry))
                .value = value;
    }

    private Latest latest(String name, String[] tags, Consumer<Latest> register) {
        return latest.computeIfAbsent(new Series(name, List.of(tags)), any -> {
            Latest made = new Latest();
            register.accept(made);
            return made;
        });
    }

    /** Sets how long steps of certification took in the last minute; steps without any have no quantiles. */
    public void lag(Collection<LagStep> steps, Map<LagStep, DurationFigures> figures) {
        for (LagStep step : steps) {
            DurationFigures one = figures.getOrDefault(step, DurationFigures.NONE);
            lag(step, "0.5", one.count() == 0 ? Double.NaN : one.p50() / MICROS_PER_SECOND);
            lag(step, "0.99", one.count() == 0 ? Double.NaN : one.p99() / MICROS_PER_SECOND);
            gauge(
                    "aspas.certification.lag.samples",
                    "Entries or questions that were followed through a step of certification in the last minute.",
                    one.count(),
                    "step",
                    step.key());
        }
    }

    private void lag(LagStep step, String quantile, double seconds) {
        gauge(
                "aspas.certification.lag.seconds",
                "How long a step of certification took in the last minute; whole is from the answer to the confirmation.",
                seconds,
                "step",
                step.key(),
                "quantile",
                quantile);
    }

    public void links(Collection<NodeId> others, Collection<NodeId> linked) {
        others.forEach(other -> flag(
                "aspas.link.up",
                "1 while frames can be sent to the peer.",
                linked.contains(other),
                "peer",
                other.toString()));
    }

    /** Sets the public-key operations since the start, of all uses. */
    public void signatures(SignatureCounts.Reading reading) {
        for (Domain use : Domain.values()) {
            signatures("sign", use, reading.signed().getOrDefault(use, 0L));
            signatures("verify", use, reading.verified().getOrDefault(use, 0L));
        }
    }

    private void signatures(String operation, Domain use, long count) {
        count(
                "aspas.public.key.operations",
                "Signatures made and verified, by what they are for.",
                count,
                "operation",
                operation,
                "use",
                use.label());
    }

    /**
     * Sets what became of the spans since the start.
     *
     * @param refused spans that were not followed because too many were open
     */
    public void traces(TracingCounts counts, long refused) {
        traces("exported", counts.exported());
        traces("overflowed", counts.overflowed());
        traces("undelivered", counts.undelivered());
        traces("refused", refused);
    }

    private void traces(String outcome, long count) {
        count("aspas.trace.spans", "Sampled spans, by what became of them.", count, "outcome", outcome);
    }

    /** All figures as Prometheus reads them. */
    public String read() {
        return registry.scrape();
    }

    /**
     * How many files and connections this process has open, and how many it may have. The system counts the open ones one by one, so they are
     * read again only after a while. There is nothing where the system does not tell. Thread-safe.
     */
    private static final class OpenFiles implements MeterBinder {
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
}

package org.aspas.emulab.experiments.execution;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.folder.MeasuredStep.Moment;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.jspecify.annotations.Nullable;

/** Looks at the measurements of a step once a second, as long as it measures. Thread-safe. */
final class StepTimeline implements AutoCloseable {
    private static final double MICROS_PER_MILLI = 1e3;

    private final int seconds;
    private final List<Moment> moments = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "timeline");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Measures measures;
    private Histogram before = new Histogram(3);
    private long operationsBefore;

    StepTimeline(int seconds) {
        this.seconds = seconds;
    }

    synchronized void begin(Measures begun) {
        measures = begun;
        var unused = clock.scheduleAtFixedRate(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private synchronized void look() {
        Measures now = measures;
        if (now == null || moments.size() >= seconds) {
            return;
        }
        Histogram updates = updates(now);
        Histogram within = updates.copy();
        within.subtract(before);
        long operations = now.operations();
        moments.add(new Moment(
                moments.size() + 1,
                operations - operationsBefore,
                millis(within, 50),
                millis(within, 99),
                now.unconfirmed()));
        before = updates;
        operationsBefore = operations;
    }

    /** All updates but those of τ = 1, which take as long as their certificates. */
    private static Histogram updates(Measures now) {
        Histogram updates = new Histogram(3);
        for (ToleranceClass tolerance : now.classes()) {
            if (!tolerance.equals(ToleranceClass.TAU_1)) {
                updates.add(now.latency(tolerance, OperationKind.UPDATE));
            }
        }
        return updates;
    }

    private static double millis(Histogram micros, double percentile) {
        return micros.getTotalCount() == 0 ? 0 : micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }

    synchronized List<Moment> moments() {
        return List.copyOf(moments);
    }

    /** The latencies of each class of clients and kind of operation, and the lag, by name; those without any left out. */
    synchronized Map<String, Histogram> histograms() {
        Map<String, Histogram> histograms = new TreeMap<>();
        Measures now = measures;
        if (now != null) {
            for (ToleranceClass tolerance : now.classes()) {
                for (OperationKind kind : OperationKind.values()) {
                    keep(histograms, label(kind) + " " + tolerance.label(), now.latency(tolerance, kind));
                }
            }
            Histogram lag = new Histogram(3);
            for (int part = 0; part < Measures.PARTS; part++) {
                lag.add(now.lag(part));
            }
            keep(histograms, "lag", lag);
        }
        return histograms;
    }

    private static String label(OperationKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static void keep(Map<String, Histogram> histograms, String name, Histogram histogram) {
        if (histogram.getTotalCount() > 0) {
            histograms.put(name, histogram);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

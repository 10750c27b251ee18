package org.aspas.emulab.experiments;

import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.WorkloadPhase;
import org.jspecify.annotations.Nullable;

/** Says once a second how a run goes. Thread-safe. */
final class Progress {
    private static final double MICROS_PER_MILLI = 1000.0;

    private final Terminal terminal;
    private final Consumer<Measures> watcher;
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "progress");
        thread.setDaemon(true);
        return thread;
    });
    private volatile String phase = "";
    private @Nullable Measures measures;
    private long firstCertificate;
    private long lastOperations;
    private int second;

    /** {@code watcher} is told of the measurements as they begin. */
    Progress(Terminal terminal, Consumer<Measures> watcher) {
        this.terminal = terminal;
        this.watcher = watcher;
    }

    synchronized void begin(Measures measured, long certificateBefore) {
        this.measures = measured;
        this.firstCertificate = certificateBefore;
        watcher.accept(measured);
        var unused = ticker.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    /** Names the phase in the lines to come. */
    void phase(WorkloadPhase begun) {
        phase = begun.label();
    }

    void end() {
        ticker.shutdownNow();
    }

    void say(String text) {
        terminal.line(text);
    }

    private synchronized void tick() {
        Measures now = measures;
        if (now == null) {
            return;
        }
        second++;
        long operations = now.operations();
        Histogram updates = new Histogram(3);
        for (ToleranceClass tolerance : now.classes()) {
            if (!tolerance.equals(ToleranceClass.TAU_1)) {
                updates.add(now.latency(tolerance, OperationKind.UPDATE));
                updates.add(now.latency(tolerance, OperationKind.READ_MODIFY_WRITE));
            }
        }
        terminal.live(String.format(
                Locale.ROOT,
                "%3d s  %-11s %,7d ops/s  update p50 %6.1f ms p99 %6.1f ms  cert %,d  open %,d  err %d",
                second,
                phase,
                operations - lastOperations,
                updates.getValueAtPercentile(50) / MICROS_PER_MILLI,
                updates.getValueAtPercentile(99) / MICROS_PER_MILLI,
                Math.max(0, now.newestCertificate() - firstCertificate),
                now.unconfirmed(),
                now.errors()));
        lastOperations = operations;
    }
}

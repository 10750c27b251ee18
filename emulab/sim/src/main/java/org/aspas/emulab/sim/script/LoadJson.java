package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.aspas.emulab.sim.node.Figures.Measured;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.jspecify.annotations.Nullable;

/**
 * What a load met, as JSON and as text. Times are in milliseconds of virtual time, the parts in which processors were busy
 * from 0 to 1.
 */
record LoadJson(
        String system,
        int clients,
        double seconds,
        double throughput,
        double latencyMeanMs,
        double latencyP50Ms,
        double latencyP95Ms,
        double latencyP99Ms,
        long confirmations,
        double lagP50Ms,
        double lagP99Ms,
        double littleNOverXr,
        List<SideJson> sides) {
    private static final double MILLIS = 1e3;
    private static final double PERCENT = 100;

    /** The machines of one side. */
    record SideJson(
            String side, int machines, int cores, double busy, double busiest, double meanWaiting, int mostWaiting) {}

    /** Of a single run with costs; null of any other. */
    static @Nullable LoadJson of(List<RunResult> results) {
        LoadFigures load = results.size() == 1 ? results.get(0).load() : null;
        return load == null ? null : of(results.get(0), load);
    }

    private static LoadJson of(RunResult result, LoadFigures load) {
        ProcessorModel model = Objects.requireNonNull(result.settings().processors());
        List<Long> latencies = load.measured().latencies();
        List<Long> lags = load.measured().lags();
        return new LoadJson(
                model.system().name().toLowerCase(Locale.ROOT),
                load.clients(),
                load.seconds(),
                load.throughput(),
                load.meanMicros() / MILLIS,
                Measured.at(latencies, 0.5) / MILLIS,
                Measured.at(latencies, 0.95) / MILLIS,
                Measured.at(latencies, 0.99) / MILLIS,
                load.confirmations(),
                Measured.at(lags, 0.5) / MILLIS,
                Measured.at(lags, 0.99) / MILLIS,
                load.little(),
                load.sides().stream().map(LoadJson::side).toList());
    }

    private static SideJson side(LoadFigures.SideUsage side) {
        return new SideJson(
                side.side().name().toLowerCase(Locale.ROOT),
                side.machines(),
                side.cores(),
                side.busy(),
                side.busiest(),
                side.meanWaiting(),
                side.mostWaiting());
    }

    /** The same for people. */
    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s, %d clients, %.1f s: %.0f updates/s; latency p50 %.1f, p99 %.1f, mean %.1f ms; lag p50 %.1f, p99"
                        + " %.1f ms; N/(X R) = %.3f%n",
                system,
                clients,
                seconds,
                throughput,
                latencyP50Ms,
                latencyP99Ms,
                latencyMeanMs,
                lagP50Ms,
                lagP99Ms,
                littleNOverXr));
        text.append(String.format(
                Locale.ROOT,
                "%-12s %8s %6s %7s %9s %13s %13s%n",
                "machines",
                "number",
                "cores",
                "busy %",
                "busiest %",
                "waiting: mean",
                "most"));
        for (SideJson side : sides) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-12s %8d %6d %7.1f %9.1f %13.2f %13d%n",
                    side.side(),
                    side.machines(),
                    side.cores(),
                    PERCENT * side.busy(),
                    PERCENT * side.busiest(),
                    side.meanWaiting(),
                    side.mostWaiting()));
        }
        return text.toString();
    }
}

package org.aspas.emulab.experiments.run;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.aspas.emulab.experiments.report.RunReport;
import org.aspas.emulab.experiments.report.Summary;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.workload.ToleranceClass;

/** The figures of a step on sockets, by the names that docs/experiments.md gives them. */
public final class StepFigures {
    private static final List<String> OF_LATENCY = List.of("_p50_ms", "_p95_ms", "_p99_ms", "_mean_ms", "_max_ms");

    private StepFigures() {}

    public static List<String> names() {
        TreeMap<String, Boolean> names = new TreeMap<>();
        for (String name : List.of(
                "operations_per_second",
                "certificates_per_second",
                "cpu_ms_per_operation",
                "generator_cpu_percent",
                "little_ratio",
                "errors",
                "delay_late_p95_ms",
                "delay_late_p99_ms",
                "emulator_cpu_percent",
                "load_before",
                "processor_steal_percent",
                "warm_up_seconds")) {
            names.put(name, true);
        }
        SimulatedFigures.names().forEach(name -> names.put(name, true));
        for (String what : List.of("all", "update", "read", "lag")) {
            OF_LATENCY.forEach(suffix -> names.put(what + suffix, true));
        }
        for (ToleranceClass tolerance :
                List.of(ToleranceClass.TAU_1, ToleranceClass.TAU_1000, ToleranceClass.TAU_UNBOUNDED)) {
            OF_LATENCY.forEach(suffix -> names.put(tolerance.key() + "_update" + suffix, true));
        }
        return List.copyOf(names.keySet());
    }

    static SortedMap<String, Double> of(RunReport report, double loadBefore) {
        SortedMap<String, Double> figures = new TreeMap<>();
        figures.put("operations_per_second", report.operationsPerSecond());
        figures.put("certificates_per_second", report.certificatesPerSecond());
        figures.put("cpu_ms_per_operation", report.cpuMillisPerOperation());
        figures.put("errors", (double) report.errors());
        figures.put("load_before", loadBefore);
        figures.put("processor_steal_percent", 100 * report.machine().steal());
        latency(figures, "all", report.latency().all());
        latency(figures, "update", report.latency().update());
        latency(figures, "read", report.latency().read());
        latency(figures, "lag", report.lag());
        report.classes()
                .forEach((tolerance, figuresOf) -> latency(
                        figures,
                        tolerance.key() + "_update",
                        figuresOf.latency().update()));
        figures.put("little_ratio", report.generator().little());
        if (report.cpuSeconds() > 0) {
            figures.put("generator_cpu_percent", 100 * report.generator().cpuSeconds() / report.cpuSeconds());
        }
        DelayReport delays = report.delays();
        if (delays != null) {
            figures.put("delay_late_p95_ms", worst(delays, DelayReport.Network::lateP95Ms));
            figures.put("delay_late_p99_ms", worst(delays, DelayReport.Network::lateP99Ms));
            if (report.cpuSeconds() > 0) {
                figures.put("emulator_cpu_percent", 100 * delays.emulatorCpuSeconds() / report.cpuSeconds());
            }
        }
        return figures;
    }

    private static double worst(DelayReport delays, ToDoubleFunction<DelayReport.Network> late) {
        return delays.networks().stream().mapToDouble(late).max().orElse(0);
    }

    /** Puts the figures of one kind of latency there, unless nothing was counted. */
    static void latency(SortedMap<String, Double> figures, String what, Summary summary) {
        if (summary.count() > 0) {
            List<Double> values = List.of(summary.p50(), summary.p95(), summary.p99(), summary.mean(), summary.max());
            for (int i = 0; i < values.size(); i++) {
                figures.put(what + OF_LATENCY.get(i), values.get(i));
            }
        }
    }
}

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.workload.Convergence;

/** A run report as lines for people; plain text, at most 80 columns except for error sentences. */
public final class ClosingTable {
    private static final String ROW = "  %-22s %9s %9s %9s %9s %9s";

    private ClosingTable() {}

    public static List<String> lines(RunReport report) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d operations in %.1f s: %,.0f operations/s   (%d clients, %s)",
                report.operations(),
                report.elapsedSeconds(),
                report.operationsPerSecond(),
                report.settings().clients(),
                report.delays() == null
                        ? "round trip " + report.settings().rttMillis() + " ms"
                        : "world " + report.delays().world()));
        lines.add(String.format(
                Locale.ROOT,
                "  CPU time: %.2f of %d cores, %.2f ms per operation, servers and clients",
                report.cpuSeconds() / report.elapsedSeconds(),
                report.settings().cores(),
                report.cpuMillisPerOperation()));
        lines.add("");
        lines.add(String.format(Locale.ROOT, ROW, "latency, ms", "count", "p50", "p95", "p99", "max"));
        report.classes().forEach((tolerance, figures) -> {
            String name = tolerance.label() + " (" + figures.clients() + ")";
            addLatency(name, figures.latency(), lines);
        });
        addLatency("all", report.latency(), lines);
        lines.add("");
        lines.add(row("certification lag, ms", report.lag()));
        List<Summary> parts = report.lagByPart();
        lines.add(row("  first third", parts.get(0)));
        lines.add(row("  last third", parts.get(parts.size() - 1)));
        if (!report.lagSteps().measured().isEmpty()) {
            lines.add("");
            lines.addAll(LagTable.steps(report.lagSteps()));
        }
        if (!report.lagSteps().sites().isEmpty()) {
            lines.add("");
            lines.addAll(LagTable.sites(report.lagSteps().sites()));
        }
        lines.add("");
        lines.addAll(report.generator().lines());
        lines.addAll(report.machine().lines());
        CostFigures costs = report.costs();
        if (costs != null) {
            lines.addAll(costs.lines());
        }
        lines.add("");
        addVerdict(report, lines);
        if (report.delays() != null) {
            lines.add("");
            lines.addAll(DelayTable.lines(report.delays(), report.cpuSeconds()));
        }
        if (report.byzantine() != null) {
            lines.add("");
            lines.addAll(AttackTable.lines(report.byzantine()));
        }
        return lines;
    }

    private static void addLatency(String name, Latency latency, List<String> lines) {
        lines.add(row(name + " update", latency.update()));
        lines.add(row(name + " read", latency.read()));
        Summary modified = latency.readModifyWrite();
        if (modified != null) {
            lines.add(row(name + " rmw", modified));
        }
    }

    private static void addVerdict(RunReport report, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "  certificates           %,d (%.1f/s)",
                report.certificates(),
                report.certificatesPerSecond()));
        lines.add("  errors                 " + report.errors());
        report.firstErrors().forEach(error -> lines.add("    " + error));
        lines.add("  verification failures  " + report.verificationFailures());
        Convergence convergence = report.convergence();
        lines.add(String.format(
                Locale.ROOT,
                "  converged              %s (%d of %d appservers, certificate %d, %d objects)",
                convergence.converged() ? "yes" : "NO",
                convergence.asked(),
                convergence.appservers(),
                convergence.certificate(),
                convergence.objects()));
        if (report.inspections() > 0) {
            lines.add(String.format(Locale.ROOT, "  inspections            %,d", report.inspections()));
        }
        report.systemFigures()
                .forEach((name, figure) ->
                        lines.add(String.format(Locale.ROOT, "  %-22s %s", name.replace('_', ' '), figure(figure))));
        convergence.differences().stream().limit(10).forEach(difference -> lines.add("    " + difference));
    }

    private static String row(String name, Summary summary) {
        return String.format(
                Locale.ROOT,
                ROW,
                name,
                String.format(Locale.ROOT, "%,d", summary.count()),
                millis(summary.p50()),
                millis(summary.p95()),
                millis(summary.p99()),
                millis(summary.max()));
    }

    private static String figure(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.4g", value);
    }

    private static String millis(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.sim.script.FigureTree;

/** A run report as lines for people; plain text, at most 80 columns except for error sentences. */
public final class ClosingTable {
    private static final String DURATIONS = "  {|%-22s|latency, ms} {count|%,9d|count} {p50|%9.1f|p50} {p95|%9.1f|p95}"
            + " {p99|%9.1f|p99} {max|%9.1f|max}";

    private ClosingTable() {}

    public static List<String> lines(RunReport report) {
        FigureTree figures = report.figures();
        List<String> lines = new ArrayList<>();
        lines.add(figures.line("{operations|%,d} operations in {elapsed_seconds|%.1f} s: {operations_per_second|%,.0f}"
                + " operations/s   ({settings.clients} clients, "
                + (report.delays() == null ? "round trip {settings.rtt_ms} ms)" : "world {delays.world})")));
        lines.add(figures.line(
                "  CPU time: {|%.2f} of {settings.cores} cores, {cpu_ms_per_operation|%.2f} ms per operation, servers and"
                        + " clients",
                report.cpuSeconds() / report.elapsedSeconds()));
        lines.add("");
        lines.add(FigureTree.head(DURATIONS));
        report.classes()
                .forEach((tolerance, of) ->
                        addLatency(tolerance.label() + " (" + of.clients() + ")", of.latency(), lines));
        addLatency("all", report.latency(), lines);
        lines.add("");
        lines.add(row("certification lag, ms", report.lag()));
        List<Summary> parts = report.lagByPart();
        lines.add(row("  first third", parts.get(0)));
        lines.add(row("  last third", parts.get(parts.size() - 1)));
        if (!report.lagSteps().measured().isEmpty()) {
            lines.add("");
            lines.addAll(report.lagSteps().lines());
        }
        if (!report.lagSteps().sites().isEmpty()) {
            lines.add("");
            lines.addAll(SiteLag.lines(report.lagSteps().sites()));
        }
        lines.add("");
        lines.addAll(report.generator().lines());
        lines.addAll(report.machine().lines());
        CostFigures costs = report.costs();
        if (costs != null) {
            lines.addAll(costs.lines());
        }
        lines.add("");
        addVerdict(report, figures, lines);
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

    private static String row(String name, Summary summary) {
        return FigureTree.of(summary).line(DURATIONS, name);
    }

    private static void addVerdict(RunReport report, FigureTree figures, List<String> lines) {
        lines.add(figures.line("  certificates           {certificates|%,d} ({certificates_per_second|%.1f}/s)"));
        lines.add(figures.line("  errors                 {errors}"));
        report.firstErrors().forEach(error -> lines.add("    " + error));
        lines.add(figures.line("  verification failures  {verification_failures}"));
        lines.add(figures.line(
                "  converged              {} ({convergence.asked} of {convergence.appservers} appservers, certificate"
                        + " {convergence.certificate}, {convergence.objects} objects)",
                report.convergence().converged() ? "yes" : "NO"));
        if (report.inspections() > 0) {
            lines.add(figures.line("  inspections            {inspections|%,d}"));
        }
        report.systemFigures()
                .forEach((name, figure) -> lines.add(String.format(
                        Locale.ROOT,
                        figure == Math.rint(figure) ? "  %-22s %,.0f" : "  %-22s %.4g",
                        name.replace('_', ' '),
                        figure)));
        report.convergence().differences().stream().limit(10).forEach(difference -> lines.add("    " + difference));
    }
}

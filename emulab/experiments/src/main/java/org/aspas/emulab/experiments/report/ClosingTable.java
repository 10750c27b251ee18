package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.attack.ByzantineReport.Moment;
import org.aspas.emulab.workload.Convergence;
import org.jspecify.annotations.Nullable;

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

    /** What became of an attack, as lines for people. */
    private static final class AttackTable {
        private static final int MARGIN = 25;
        private static final int WIDTH = 53;

        private AttackTable() {}

        static List<String> lines(ByzantineReport report) {
            List<String> lines = new ArrayList<>();
            lines.add("  attack                 " + report.server() + " as " + report.role());
            wrapped(lines, report.description());
            lines.add(String.format(Locale.ROOT, "  misdeeds               %,d", report.misdeeds()));
            moment(lines, "detected", report.detected());
            lines.add("  proof                  " + (report.proof() == null ? "none" : report.proof()));
            moment(lines, "verdict", report.verdict());
            moment(lines, "excluded", report.excluded());
            lines.add(String.format(
                    Locale.ROOT,
                    "  clients switched       %d of %d%s",
                    report.switched(),
                    report.clients(),
                    report.switched() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    ", the last after %,d ms %s",
                                    report.lastSwitch(),
                                    report.sortedReasons())));
            lines.add(String.format(
                    Locale.ROOT,
                    "  updates                %,d revoked, %,d resubmitted, %,d lost",
                    report.revoked(),
                    report.resubmitted(),
                    report.lost()));
            lines.add(String.format(
                    Locale.ROOT, "  rolled back            to %,d certified values", report.rolledBack()));
            lines.add("  correct parties        " + harm(report));
            lines.add("  withstood              " + (report.withstood() ? "yes" : "NO"));
            return lines;
        }

        private static String harm(ByzantineReport report) {
            return report.harmed().isEmpty() && report.refusedClients() == 0
                    ? "none excluded or refused"
                    : "EXCLUDED " + report.harmed() + ", " + report.refusedClients() + " clients ACCUSED";
        }

        private static void moment(List<String> lines, String name, @Nullable Moment moment) {
            if (moment == null) {
                lines.add(String.format(Locale.ROOT, "  %-22s no", name));
            } else {
                lines.add(String.format(Locale.ROOT, "  %-22s after %,d ms by %s", name, moment.millis(), moment.by()));
                wrapped(lines, moment.what());
            }
        }

        /** A text under the second column, in as many lines as it takes. */
        private static void wrapped(List<String> lines, String text) {
            StringBuilder line = new StringBuilder();
            for (String word : text.split(" ", -1)) {
                if (line.length() > 0 && line.length() + 1 + word.length() > WIDTH) {
                    lines.add(" ".repeat(MARGIN) + line);
                    line.setLength(0);
                }
                line.append(line.length() == 0 ? "" : " ").append(word);
            }
            lines.add(" ".repeat(MARGIN) + line);
        }
    }

    /** Where the time from answers to confirmations goes, as lines for people; plain text, at most 80 columns. */
    private static final class LagTable {
        private static final double MICROS_PER_MILLI = 1000;
        private static final String STEPS_HEAD = "  %-26s %9s %9s %9s %7s%s";
        private static final String SITES = "  %-22s %6s %7s %7s %3s  %6s %7s %7s %3s";

        private LagTable() {}

        /** The table of steps. Shares are those of the mean, for only means add up. */
        static List<String> steps(LagSteps lag) {
            List<String> lines = new ArrayList<>();
            Map<LagStep, DurationFigures> measured = lag.measured();
            String least = lag.leastMicros().isEmpty() ? "" : String.format(Locale.ROOT, " %9s", "least");
            for (Role tier : List.of(Role.APPSERVER, Role.BFTSERVER)) {
                if (LagStep.of(tier).stream().anyMatch(measured::containsKey)) {
                    String seen = tier == Role.APPSERVER ? "lag by step, ms" : "  among bftservers";
                    lines.add(String.format(Locale.ROOT, STEPS_HEAD, seen, "count", "p50", "p99", "share", least));
                }
                LagStep.of(tier).stream()
                        .filter(measured::containsKey)
                        .map(step -> step(step, lag))
                        .forEach(lines::add);
            }
            return lines;
        }

        private static String step(LagStep step, LagSteps lag) {
            DurationFigures figures = lag.measured().getOrDefault(step, DurationFigures.NONE);
            long whole = lag.measured()
                    .getOrDefault(LagStep.WHOLE, DurationFigures.NONE)
                    .mean();
            Long least = lag.leastMicros().get(step);
            return String.format(
                            Locale.ROOT,
                            "    %-24s %,9d %9.1f %9.1f %7s%s",
                            step.label(),
                            figures.count(),
                            figures.p50() / MICROS_PER_MILLI,
                            figures.p99() / MICROS_PER_MILLI,
                            whole == 0 || step == LagStep.ORDERED
                                    ? ""
                                    : Math.round(100.0 * figures.mean() / whole) + " %",
                            least == null ? "" : String.format(Locale.ROOT, " %9.1f", least / MICROS_PER_MILLI))
                    .stripTrailing();
        }

        /** The table of sites: medians beside what is allowed. */
        static List<String> sites(List<SiteLag> sites) {
            List<String> lines = new ArrayList<>();
            lines.add(String.format(
                    Locale.ROOT, "  %-22s %-27s %s", "", "answer to confirmation", "τ=1: sent to confirmed"));
            lines.add(String.format(
                            Locale.ROOT,
                            SITES,
                            "p50 against bound, ms",
                            "bound",
                            "x " + SiteLag.ALLOWED,
                            "p50",
                            "",
                            "bound",
                            "x " + SiteLag.ALLOWED,
                            "p50",
                            "")
                    .stripTrailing());
            for (SiteLag site : sites) {
                lines.add(String.format(
                                Locale.ROOT,
                                SITES,
                                site.site(),
                                millis(site.boundMs()),
                                millis(SiteLag.ALLOWED * site.boundMs()),
                                millis(site.lag().p50()),
                                site.lagWithin() ? "yes" : "NO",
                                millis(site.wholeBoundMs()),
                                millis(SiteLag.ALLOWED * site.wholeBoundMs()),
                                site.whole().count() == 0
                                        ? "none"
                                        : millis(site.whole().p50()),
                                site.whole().count() == 0 ? "" : site.wholeWithin() ? "yes" : "NO")
                        .stripTrailing());
            }
            return lines;
        }

        private static String millis(double value) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
    }
}

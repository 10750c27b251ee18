package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/** Where the time from answers to confirmations goes, as lines for people; plain text, at most 80 columns. */
final class LagTable {
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
        long whole =
                lag.measured().getOrDefault(LagStep.WHOLE, DurationFigures.NONE).mean();
        Long least = lag.leastMicros().get(step);
        return String.format(
                        Locale.ROOT,
                        "    %-24s %,9d %9.1f %9.1f %7s%s",
                        step.label(),
                        figures.count(),
                        figures.p50() / MICROS_PER_MILLI,
                        figures.p99() / MICROS_PER_MILLI,
                        whole == 0 || step == LagStep.ORDERED ? "" : Math.round(100.0 * figures.mean() / whole) + " %",
                        least == null ? "" : String.format(Locale.ROOT, " %9.1f", least / MICROS_PER_MILLI))
                .stripTrailing();
    }

    /** The table of sites: medians beside what is allowed. */
    static List<String> sites(List<SiteLag> sites) {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(Locale.ROOT, "  %-22s %-27s %s", "", "answer to confirmation", "τ=1: sent to confirmed"));
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

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;

/** The steps from answers to confirmations as lines for people; plain text, at most 80 columns. */
final class LagTable {
    private static final double MICROS_PER_MILLI = 1000;

    private LagTable() {}

    /** The lines of the table. Shares are those of the mean, for only means add up. */
    static List<String> lines(Map<LagStep, DurationFigures> steps) {
        List<String> lines = new ArrayList<>();
        long whole = steps.getOrDefault(LagStep.WHOLE, DurationFigures.NONE).mean();
        for (Role tier : List.of(Role.APPSERVER, Role.BFTSERVER)) {
            if (LagStep.of(tier).stream().anyMatch(steps::containsKey)) {
                String seen = tier == Role.APPSERVER ? "lag by step, ms" : "  among bftservers";
                lines.add(String.format(Locale.ROOT, "  %-26s %9s %9s %9s %7s", seen, "count", "p50", "p99", "share"));
            }
            for (LagStep step : LagStep.of(tier)) {
                DurationFigures figures = steps.get(step);
                if (figures != null) {
                    lines.add(line(step, figures, whole));
                }
            }
        }
        return lines;
    }

    private static String line(LagStep step, DurationFigures figures, long whole) {
        return String.format(
                Locale.ROOT,
                "    %-24s %,9d %9.1f %9.1f %7s",
                step.label(),
                figures.count(),
                figures.p50() / MICROS_PER_MILLI,
                figures.p99() / MICROS_PER_MILLI,
                whole == 0 || step == LagStep.ORDERED ? "" : Math.round(100.0 * figures.mean() / whole) + " %");
    }
}

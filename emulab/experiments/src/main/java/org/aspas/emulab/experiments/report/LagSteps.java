package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.aspas.certify.identity.Role;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.sim.script.FigureTree;

/**
 * Where the time from answers to confirmations goes.
 *
 * @param measured how long each step took, over all servers; empty where they do not tell
 * @param leastMicros how long it takes at least for the distances of the world, the mean over the appservers; empty without a world
 * @param sites what clients waited for at each home, against what they wait at least; empty without a world
 */
public record LagSteps(Map<LagStep, DurationFigures> measured, Map<LagStep, Long> leastMicros, List<SiteLag> sites) {
    public static final LagSteps NONE = of(Map.of());

    private static final double MICROS_PER_MILLI = 1000;
    private static final String STEP = " {count|%,9d|count} {p50|%9.1f|p50} {p99|%9.1f|p99} {|%7s|share}";

    public static LagSteps of(Map<LagStep, DurationFigures> measured) {
        return new LagSteps(measured, Map.of(), List.of());
    }

    public LagSteps {
        measured = measured.isEmpty() ? Map.of() : new EnumMap<>(measured);
        leastMicros = leastMicros.isEmpty() ? Map.of() : new EnumMap<>(leastMicros);
        sites = List.copyOf(sites);
    }

    /** The steps by their keys, in milliseconds; the least time that one takes is known in a world. */
    FigureTree figures() {
        FigureTree steps = new FigureTree();
        measured.keySet().forEach(step -> steps.with(step.key(), figures(step)));
        return steps;
    }

    private FigureTree figures(LagStep step) {
        DurationFigures micros = measured.getOrDefault(step, DurationFigures.NONE);
        Long least = leastMicros.get(step);
        return new FigureTree()
                .with("count", micros.count())
                .with("p50", micros.p50() / MICROS_PER_MILLI)
                .with("p99", micros.p99() / MICROS_PER_MILLI)
                .with("mean", micros.mean() / MICROS_PER_MILLI)
                .withKnown("least", least == null ? null : least / MICROS_PER_MILLI);
    }

    /** The table of steps; shares are those of the mean, for only means add up. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Role tier : List.of(Role.APPSERVER, Role.BFTSERVER)) {
            List<LagStep> seen =
                    LagStep.of(tier).stream().filter(measured::containsKey).toList();
            if (!seen.isEmpty()) {
                lines.add(String.format(
                                Locale.ROOT,
                                "  %-26s",
                                tier == Role.APPSERVER ? "lag by step, ms" : "  among bftservers")
                        + FigureTree.head(STEP)
                        + (leastMicros.isEmpty() ? "" : "     least"));
            }
            seen.forEach(step -> lines.add(line(step)));
        }
        return lines;
    }

    private String line(LagStep step) {
        FigureTree figures = figures(step);
        long whole = measured.getOrDefault(LagStep.WHOLE, DurationFigures.NONE).mean();
        String share = whole == 0 || step == LagStep.ORDERED
                ? ""
                : Math.round(100.0
                                * measured.getOrDefault(step, DurationFigures.NONE)
                                        .mean()
                                / whole) + " %";
        String line = figures.line("    {|%-24s}" + STEP, step.label(), share);
        return (figures.has("least") ? line + figures.line(" {least|%9.1f}") : line).stripTrailing();
    }
}

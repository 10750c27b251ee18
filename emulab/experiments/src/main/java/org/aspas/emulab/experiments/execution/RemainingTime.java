package org.aspas.emulab.experiments.execution;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.plan.WarmedSystems;

/** How long the steps that are left will take: what they plan, and as much besides as the others took on average. */
final class RemainingTime {
    /** Until the first step has told: what starting, converging and stopping takes on a small machine. */
    private static final double FIRST_GUESS_SECONDS = 15;

    private final Map<PlannedStep, Double> planned = new HashMap<>();

    private double plannedSeconds;
    private int left;
    private int timed;
    private double besidesSeconds;

    RemainingTime(List<PlannedStep> steps) {
        WarmedSystems warmed = new WarmedSystems();
        for (PlannedStep step : steps) {
            planned.put(step, seconds(step, warmed));
            plannedSeconds += seconds(step);
        }
        left = steps.size();
    }

    /** Virtual seconds take no time of their own: what they cost is in the average. */
    private static double seconds(PlannedStep step, WarmedSystems warmed) {
        return step.substrate() == Substrate.SIMULATOR ? 0 : (warmed.warmUp(step) + step.micros()) / 1e6;
    }

    private double seconds(PlannedStep step) {
        return planned.getOrDefault(step, 0.0);
    }

    /** A step was run in so long. */
    void finished(PlannedStep step, long nanos) {
        skipped(step);
        timed++;
        besidesSeconds += TimeUnit.NANOSECONDS.toMillis(nanos) / 1e3 - seconds(step);
    }

    /** A step was finished before. */
    void skipped(PlannedStep step) {
        left--;
        plannedSeconds -= seconds(step);
    }

    /** For people: {@code 40 s}, {@code 12 min} or {@code 2 h 5 min}. */
    String shown() {
        double each = timed == 0 ? FIRST_GUESS_SECONDS : besidesSeconds / timed;
        return shown(plannedSeconds + left * each);
    }

    /** For people, how long some of the steps take that are left. */
    String shown(List<PlannedStep> some) {
        double each = timed == 0 ? FIRST_GUESS_SECONDS : besidesSeconds / timed;
        return shown(some.stream().mapToDouble(step -> seconds(step) + each).sum());
    }

    private static String shown(double precise) {
        long seconds = Math.max(1, Math.round(precise));
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 120 ? minutes + " min" : String.format(Locale.ROOT, "%d h %d min", minutes / 60, minutes % 60);
    }
}

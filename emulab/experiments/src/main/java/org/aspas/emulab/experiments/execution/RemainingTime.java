package org.aspas.emulab.experiments.execution;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.Substrate;

/** How long the steps that are left will take: what they plan, and as much besides as the others took on average. */
final class RemainingTime {
    /** Until the first step has told: what starting, converging and stopping takes on a small machine. */
    private static final double FIRST_GUESS_SECONDS = 15;

    private double plannedSeconds;
    private int left;
    private int timed;
    private double besidesSeconds;

    RemainingTime(List<PlannedStep> steps) {
        steps.forEach(step -> plannedSeconds += seconds(step));
        left = steps.size();
    }

    /** Virtual seconds take no time of their own: what they cost is in the average. */
    private static double seconds(PlannedStep step) {
        return step.substrate() == Substrate.SIMULATOR ? 0 : step.plannedMicros() / 1e6;
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
        long seconds = Math.max(1, Math.round(plannedSeconds + left * each));
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 120 ? minutes + " min" : String.format(Locale.ROOT, "%d h %d min", minutes / 60, minutes % 60);
    }
}

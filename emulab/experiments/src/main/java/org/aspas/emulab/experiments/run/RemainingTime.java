package org.aspas.emulab.experiments.run;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.plan.WarmedSystems;

/**
 * How long the steps that are left will take. On sockets: what they plan, and as much besides as the others took on average. In
 * the simulator: in proportion to how long the others took.
 */
final class RemainingTime {
    /** Until the first step has told: what starting, converging and stopping takes on a small machine. */
    private static final double FIRST_GUESS_SECONDS = 15;

    /** Until the first simulated step has told: what a second of one client takes for each appserver. */
    private static final double SIMULATED_SECONDS = 2e-3;

    /** What beginning and judging a simulated run takes. */
    private static final double SIMULATION_SECONDS = 1;

    private final Map<PlannedStep, Double> left = new LinkedHashMap<>();
    private int timed;
    private double besidesSeconds;
    private double guessedSeconds;
    private double simulatedSeconds;

    RemainingTime(List<PlannedStep> steps) {
        WarmedSystems warmed = new WarmedSystems();
        steps.forEach(step -> left.put(step, simulated(step) ? guess(step) : seconds(step, warmed)));
    }

    private static boolean simulated(PlannedStep step) {
        return step.substrate() == Substrate.SIMULATOR;
    }

    private static double seconds(PlannedStep step, WarmedSystems warmed) {
        return (warmed.warmUp(step) + step.micros()) / 1e6;
    }

    private static double guess(PlannedStep step) {
        double virtual = (step.warmUpMicros() + step.micros()) / 1e6;
        int appservers = new Quorums(step.f(), step.b()).appservers();
        return SIMULATION_SECONDS + step.clients() * virtual * appservers * SIMULATED_SECONDS;
    }

    void finished(PlannedStep step, long nanos) {
        double planned = left.getOrDefault(step, 0.0);
        double took = TimeUnit.NANOSECONDS.toMillis(nanos) / 1e3;
        skipped(step);
        if (simulated(step)) {
            guessedSeconds += planned;
            simulatedSeconds += took;
        } else {
            timed++;
            besidesSeconds += took - planned;
        }
    }

    /** A step was finished before. */
    void skipped(PlannedStep step) {
        left.remove(step);
    }

    /** For people: {@code 40 s}, {@code 12 min} or {@code 2 h 5 min}. */
    String shown() {
        return shown(left.keySet());
    }

    /** The same of some of the steps that are left. */
    String shown(Collection<PlannedStep> some) {
        double besides = timed == 0 ? FIRST_GUESS_SECONDS : besidesSeconds / timed;
        double factor = guessedSeconds == 0 ? 1 : simulatedSeconds / guessedSeconds;
        double precise = 0;
        for (PlannedStep step : some) {
            double planned = left.getOrDefault(step, 0.0);
            precise += simulated(step) ? factor * planned : planned + besides;
        }
        return shown(precise);
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

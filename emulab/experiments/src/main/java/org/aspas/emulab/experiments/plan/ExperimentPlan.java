package org.aspas.emulab.experiments.plan;

import java.util.List;

/**
 * One experiment, whole.
 *
 * @param about one sentence for people
 * @param seed the first repetition's seed; the next has the next
 * @param costs the file of what work costs in the simulator; empty to measure it
 * @param parts in the order in which they run
 */
public record ExperimentPlan(
        String name, String about, long seed, String costs, List<PlanPart> parts, List<PaperClaim> claims) {
    public ExperimentPlan {
        parts = List.copyOf(parts);
        claims = List.copyOf(claims);
    }

    /** All steps, in the order in which they run. */
    public List<PlannedStep> steps() {
        return parts.stream().flatMap(part -> part.steps(seed).stream()).toList();
    }

    /** How long all steps on sockets take in one process, but for starting and stopping, in microseconds. */
    public long plannedMicros() {
        WarmedSystems warmed = new WarmedSystems();
        return steps().stream()
                .filter(step -> step.substrate() == Substrate.SOCKETS)
                .mapToLong(step -> warmed.warmUp(step) + step.micros())
                .sum();
    }
}

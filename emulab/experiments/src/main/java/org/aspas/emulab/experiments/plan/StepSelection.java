package org.aspas.emulab.experiments.plan;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which steps of a plan are to run now; a later run in the same folder may run the others.
 *
 * @param parts the parts by name; empty for all
 * @param claimed whether only the points that a claim needs
 * @param invalidAgain whether steps that were run before and were invalid are run again
 */
public record StepSelection(List<String> parts, boolean claimed, boolean invalidAgain) {
    /** Every step that is not finished. */
    public static final StepSelection ALL = new StepSelection(List.of(), false, false);

    public StepSelection {
        parts = List.copyOf(parts);
    }

    /**
     * The selected steps, part after part as they are named here, or else in the order of the plan.
     *
     * @throws IllegalArgumentException when the plan has no part of a name
     */
    public List<PlannedStep> of(ExperimentPlan plan) {
        List<String> known = plan.parts().stream().map(PlanPart::name).toList();
        for (String part : parts) {
            if (!known.contains(part)) {
                throw new IllegalArgumentException(
                        "--only: there is no part " + part + ": parts are " + String.join(", ", known));
            }
        }
        List<PlannedStep> steps = plan.steps();
        Stream<String> order = parts.isEmpty() ? known.stream() : parts.stream().distinct();
        return order.flatMap(part -> steps.stream().filter(step -> step.part().equals(part)))
                .filter(step -> !claimed || plan.claims().stream().anyMatch(claim -> claim.needs(step)))
                .toList();
    }
}

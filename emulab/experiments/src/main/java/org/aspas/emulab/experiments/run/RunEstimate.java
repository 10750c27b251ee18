package org.aspas.emulab.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.experiments.plan.ExperimentPlan;
import org.aspas.emulab.experiments.plan.PlanPart;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.StepSelection;

/** What a run would do and how long it would take, part by part, with the claims that each part serves. */
public final class RunEstimate {
    private RunEstimate() {}

    /**
     * The estimate for people.
     *
     * @throws IllegalArgumentException when the selection names what the plan does not have
     */
    public static List<String> lines(ExperimentPlan plan, StepSelection selection) {
        List<PlannedStep> steps = selection.of(plan);
        RemainingTime left = new RemainingTime(steps);
        List<String> lines = new ArrayList<>();
        for (String name : steps.stream().map(PlannedStep::part).distinct().toList()) {
            List<PlannedStep> own =
                    steps.stream().filter(step -> step.part().equals(name)).toList();
            lines.add(line(name, own, left.shown(own)));
            plan.parts().stream()
                    .filter(part -> part.name().equals(name))
                    .map(RunEstimate::grid)
                    .forEach(lines::add);
            plan.claims().stream()
                    .filter(claim -> own.stream().anyMatch(claim::needs))
                    .forEach(claim -> lines.add("    claim: " + claim.name() + " (" + claim.source() + ")"));
        }
        lines.add(line("in all", steps, left.shown(steps)));
        return lines;
    }

    private static String line(String name, List<PlannedStep> steps, String time) {
        return String.format(Locale.ROOT, "%-24s %4d steps, about %s", name, steps.size(), time);
    }

    private static String grid(PlanPart part) {
        return String.format(
                Locale.ROOT,
                "    on %s, f=%d: %s; %s; %s; clients %s; %d repetitions",
                part.substrate().label(),
                part.f(),
                String.join(", ", part.systems()),
                String.join(", ", part.worlds()),
                String.join(", ", part.workloads()),
                String.join(", ", part.clients().stream().map(String::valueOf).toList()),
                part.repetitions());
    }
}

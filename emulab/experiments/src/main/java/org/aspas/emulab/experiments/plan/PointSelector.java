package org.aspas.emulab.experiments.plan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which point of a plan a claim speaks of. Null, or 0 clients, leaves a component open; what is open has to be the same
 * for all points that the selector selects.
 */
public record PointSelector(
        @Nullable String part,
        @Nullable String system,
        @Nullable String world,
        @Nullable String workload,
        int clients) {
    public boolean selects(PlannedStep step) {
        return (part == null || Objects.equals(part, step.part()))
                && (system == null || system.equals(step.system()))
                && (world == null || world.equals(step.world()))
                && (workload == null || workload.equals(step.workload()))
                && (clients == 0 || clients == step.clients());
    }
}

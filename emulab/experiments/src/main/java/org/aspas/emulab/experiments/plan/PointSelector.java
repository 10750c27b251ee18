package org.aspas.emulab.experiments.plan;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which point of a plan a claim speaks of; what is left open has to be the same for all points that it selects.
 *
 * @param part the part; null for any
 * @param system the system; null for any
 * @param world the world; null for any
 * @param workload the workload; null for any
 * @param clients how many clients; 0 for any
 */
public record PointSelector(
        @Nullable String part,
        @Nullable String system,
        @Nullable String world,
        @Nullable String workload,
        int clients) {
    /** Whether a step is one that it selects. */
    public boolean selects(PlannedStep step) {
        return (part == null || Objects.equals(part, step.part()))
                && (system == null || system.equals(step.system()))
                && (world == null || world.equals(step.world()))
                && (workload == null || workload.equals(step.workload()))
                && (clients == 0 || clients == step.clients());
    }
}

package org.aspas.emulab.experiments.plan;

import java.util.HashSet;
import java.util.Set;

/**
 * Which systems a process has warmed up for which workloads. What the JVM has compiled for one step it need not compile again
 * for the next. Not thread-safe.
 */
public final class WarmedSystems {
    private final Set<String> warmed = new HashSet<>();

    /** How long the warm-up of a step is, in microseconds; it counts as done from now on. */
    public long warmUp(PlannedStep step) {
        return warmed.add(step.system() + " " + step.workload()) ? step.warmUpMicros() : step.rewarmMicros();
    }
}

package org.aspas.emulab.experiments.plan;

import java.util.List;

/**
 * What the names in a plan may be.
 *
 * @param systems the systems that can be run
 * @param workloads the workloads that clients can be given
 * @param figures the figures that steps are measured by
 */
public record PlanVocabulary(List<String> systems, List<String> workloads, List<String> figures) {
    /** Copies the lists. */
    public PlanVocabulary {
        systems = List.copyOf(systems);
        workloads = List.copyOf(workloads);
        figures = List.copyOf(figures);
    }
}

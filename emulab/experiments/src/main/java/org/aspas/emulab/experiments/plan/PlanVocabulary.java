package org.aspas.emulab.experiments.plan;

import java.util.List;

/**
 * What the names in a plan may be.
 *
 * @param sockets what can be run on sockets
 * @param simulated what can be simulated
 * @param figures the figures that steps are measured by
 */
public record PlanVocabulary(Names sockets, Names simulated, List<String> figures) {
    /** Copies the list. */
    public PlanVocabulary {
        figures = List.copyOf(figures);
    }

    /** What can be run on a substrate. */
    Names on(Substrate substrate) {
        return substrate == Substrate.SOCKETS ? sockets : simulated;
    }

    /**
     * What can be run somewhere.
     *
     * @param systems the systems
     * @param workloads the workloads that clients can be given
     */
    public record Names(List<String> systems, List<String> workloads) {
        /** Copies the lists. */
        public Names {
            systems = List.copyOf(systems);
            workloads = List.copyOf(workloads);
        }
    }
}

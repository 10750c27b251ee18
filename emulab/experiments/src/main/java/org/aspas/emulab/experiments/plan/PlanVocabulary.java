package org.aspas.emulab.experiments.plan;

import java.util.List;

/** What the names in a plan may be. */
public record PlanVocabulary(Names sockets, Names simulated, List<String> figures) {
    public PlanVocabulary {
        figures = List.copyOf(figures);
    }

    Names on(Substrate substrate) {
        return substrate == Substrate.SOCKETS ? sockets : simulated;
    }

    /** What can be run on one substrate. */
    public record Names(List<String> systems, List<String> workloads) {
        public Names {
            systems = List.copyOf(systems);
            workloads = List.copyOf(workloads);
        }
    }
}

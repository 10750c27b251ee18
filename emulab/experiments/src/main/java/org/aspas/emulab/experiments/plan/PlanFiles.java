package org.aspas.emulab.experiments.plan;

/** What the names of files in a plan lead to. */
public interface PlanFiles {
    /** Whether there is a world of this name or file. */
    boolean hasWorld(String name);

    /** Whether things go wrong in a world: then it cannot be simulated with costs. */
    default boolean hasTimeline(String world) {
        return false;
    }

    /** Whether a file of costs can be read. */
    default boolean hasCosts(String file) {
        return false;
    }
}

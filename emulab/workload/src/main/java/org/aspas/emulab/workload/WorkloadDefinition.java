package org.aspas.emulab.workload;

import site.ycsb.WorkloadException;

/** What clients do, as opposed to how fast they do it. Immutable. */
public interface WorkloadDefinition {
    /** The name for people and JSON, for example {@code "A counters"}. */
    String label();

    /** How many records, or posts, there are at first. */
    int records();

    /**
     * A source of its operations, from the beginning.
     *
     * @param clients how many clients ask
     * @param seed of what this package chooses itself
     * @throws WorkloadException when YCSB refuses its properties
     */
    OperationSource source(int clients, long seed) throws WorkloadException;
}

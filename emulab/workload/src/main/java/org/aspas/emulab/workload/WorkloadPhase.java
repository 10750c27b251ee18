package org.aspas.emulab.workload;

/**
 * One stretch of a run.
 *
 * @param millis how long it lasts at most, in milliseconds, from 1
 * @param operations after how many operations it ends; 0 for no such end
 */
public record WorkloadPhase(WorkloadDefinition workload, long millis, long operations) {
    public WorkloadPhase {
        if (millis < 1) {
            throw new IllegalArgumentException("millis = " + millis + " is not positive");
        }
        if (operations < 0) {
            throw new IllegalArgumentException("operations = " + operations + " is negative");
        }
    }

    /** A phase that ends with its time alone. */
    public WorkloadPhase(WorkloadDefinition workload, long millis) {
        this(workload, millis, 0);
    }

    /** The same workload for another time, however many operations that are. */
    public WorkloadPhase lasting(long otherMillis) {
        return new WorkloadPhase(workload, otherMillis);
    }

    /** The name for people and JSON. */
    public String label() {
        return workload.label();
    }
}

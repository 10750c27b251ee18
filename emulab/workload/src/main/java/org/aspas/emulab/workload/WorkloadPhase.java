package org.aspas.emulab.workload;

/**
 * One stretch of a run.
 *
 * @param mix the shares of reads and updates
 * @param kind what the records are
 * @param millis how long it lasts, in milliseconds, from 1
 */
public record WorkloadPhase(WorkloadMix mix, ObjectKind kind, long millis) {
    /** Checks the range. */
    public WorkloadPhase {
        if (millis < 1) {
            throw new IllegalArgumentException("millis = " + millis + " is not positive");
        }
    }

    /** The name for people and JSON, for example {@code "A counters"}. */
    public String label() {
        return mix.label() + " " + kind.label();
    }
}

package org.aspas.emulab.experiments.plan;

import java.util.Locale;

/**
 * One run of one system under one load: what is measured at once, and kept by itself.
 *
 * @param world where its parties are: a shipped world's name, or a file
 * @param clients how many clients, from 1
 * @param repetition from 1
 * @param warmUpMicros how long the system runs before anything is measured
 * @param rewarmMicros the same where this process has warmed the system up for this workload before
 * @param f the faults borne among appservers
 * @param b the faults borne among bftservers
 * @param seed where the step's own randomness comes from; it differs by repetition alone
 */
public record PlannedStep(
        String part,
        Substrate substrate,
        String system,
        String world,
        String workload,
        int clients,
        int repetition,
        long warmUpMicros,
        long rewarmMicros,
        long micros,
        int f,
        int b,
        StepLoad load,
        long seed) {
    /** Its name, and that of its files: letters, digits and hyphens. */
    public String id() {
        return point() + "-r" + repetition;
    }

    /** The name that its repetitions share. */
    public String point() {
        String worldName = world.substring(world.lastIndexOf('/') + 1).replaceAll("\\.ya?ml$", "");
        return String.join("-", part, system, worldName, workload, Integer.toString(clients))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-");
    }
}

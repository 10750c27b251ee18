package org.aspas.emulab.sim.node;

/**
 * Which machines the parties of a run have, and what work costs on them.
 *
 * @param cores how many cores each machine has, from 1
 * @param clientsPerMachine how many clients share one machine, from 1
 * @param oneMachine whether all parties share one machine, as in a demo or bench
 * @param warmUpMicros what happens before this moment is not measured, in microseconds, 0 or more
 * @param meter measures the steps of the cores, for new costs
 */
public record ProcessorModel(
        Costs costs,
        int cores,
        int clientsPerMachine,
        boolean oneMachine,
        LoadedSystem system,
        long warmUpMicros,
        StepMeter meter) {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException with the name of the value that is out of range
     */
    public ProcessorModel {
        if (cores < 1 || clientsPerMachine < 1 || warmUpMicros < 0) {
            throw new IllegalArgumentException("cores = " + cores + " and clientsPerMachine = " + clientsPerMachine
                    + " must be at least 1, and warmUpMicros = " + warmUpMicros + " not negative");
        }
    }
}

package org.aspas.emulab.sim.node;

/** Measures how long the steps of the cores take on the machine that simulates. The simulator itself has no clock. */
public interface StepMeter {
    StepMeter NONE = new StepMeter() {
        @Override
        public void begin() {
            // There is nothing to measure.
        }

        @Override
        public void end(String step, long size) {
            // There is nothing to measure.
        }
    };

    void begin();

    /**
     * The step is over.
     *
     * @param step its kind, as {@link StepKind} names it
     * @param size its size, as {@link StepKind} counts it
     */
    void end(String step, long size);
}

package org.aspas.emulab.experiments.run;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.result.MeasuredStep;

/** Runs one step and measures it. */
public interface StepRunner {
    /**
     * What came out of a step.
     *
     * @param histograms its latencies by name, in microseconds
     */
    record Outcome(MeasuredStep measured, Map<String, Histogram> histograms) {
        public Outcome {
            histograms = Map.copyOf(histograms);
        }
    }

    /**
     * Gets ready for steps, which may take minutes before the first one; nothing unless a runner needs it.
     *
     * @throws IOException when what it needs cannot be had
     */
    default void prepare() throws IOException {}

    /**
     * Runs it.
     *
     * @throws IOException when the system under test cannot be started or asked
     * @throws TimeoutException when it does not come up
     */
    Outcome run(PlannedStep step) throws IOException, InterruptedException, TimeoutException;
}

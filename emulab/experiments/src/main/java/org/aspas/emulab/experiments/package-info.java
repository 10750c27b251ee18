/**
 * Experiments: a workload on a whole deployment in this process, measured and checked.
 *
 * <p>{@link org.aspas.emulab.experiments.Experiment} connects clients to a cluster, runs the workload and waits for the
 * confirmations. {@link org.aspas.emulab.experiments.ConvergenceCheck} then asks every appserver for its certificate and its
 * values. {@link org.aspas.emulab.experiments.Comparison} runs the same workload with and without a treatment, in turns.
 * {@link org.aspas.emulab.experiments.WorkloadRun} is what the commands start.
 */
@NullMarked
package org.aspas.emulab.experiments;

import org.jspecify.annotations.NullMarked;

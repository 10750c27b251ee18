/**
 * Experiments: a workload on a whole system in this process, measured and checked.
 *
 * <p>{@link org.aspas.emulab.experiments.Experiment} opens sessions of a system, runs the workload, waits for the
 * confirmations, and asks the system whether its servers agree. {@link org.aspas.emulab.experiments.Comparison} runs the same
 * workload with and without a treatment, in turns, {@link org.aspas.emulab.experiments.SystemComparison} on two systems, and
 * {@code Ramp} with ever more clients. {@link org.aspas.emulab.experiments.MachineMeter} says what
 * all this takes of the processors. {@link org.aspas.emulab.experiments.WorkloadRun} is what the commands start.
 */
@NullMarked
package org.aspas.emulab.experiments;

import org.jspecify.annotations.NullMarked;

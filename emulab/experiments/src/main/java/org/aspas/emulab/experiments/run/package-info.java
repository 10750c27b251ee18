/**
 * Runs experiments: one step after the other, each kept in the run folder as soon as it is finished, so that a run that was cut off
 * goes on after it. {@link org.aspas.emulab.experiments.run.ExperimentExecution} is what commands start; {@link
 * org.aspas.emulab.experiments.run.StepRunner}s run a step on sockets or in virtual time.
 *
 * <h2>Tolerances</h2>
 *
 * Which τ to choose: waiting, latency and exposure over τ, in virtual time, and the smallest τ that makes nobody wait.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.experiments.run;

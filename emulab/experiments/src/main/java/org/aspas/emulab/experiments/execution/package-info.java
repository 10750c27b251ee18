/**
 * Runs experiments: one step after the other, each kept in the run folder as soon as it is finished, so that a run that was
 * cut off goes on after it. {@link org.aspas.emulab.experiments.execution.ExperimentExecution} is what commands start;
 * {@link org.aspas.emulab.experiments.execution.StepRunner}s run a step on sockets or in virtual time.
 */
@NullMarked
package org.aspas.emulab.experiments.execution;

import org.jspecify.annotations.NullMarked;

/**
 * What follows from measured steps: the spread of a figure over its repetitions, whether a claim is repeated, and how one run differs
 * from another.
 *
 * <h2>The run folder</h2>
 *
 * A run folder: everything that one run of an experiment leaves behind (docs/experiments.md).
 *
 * <p>{@link org.aspas.emulab.experiments.result.RunFolder} knows its files. {@link org.aspas.emulab.experiments.result.RunFacts} says
 * what was run, {@link org.aspas.emulab.experiments.result.MachineFacts} on what, and a {@link
 * org.aspas.emulab.experiments.result.MeasuredStep} what came out of one step. A step whose file is there is finished: a run that was
 * cut off goes on after it.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.experiments.result;

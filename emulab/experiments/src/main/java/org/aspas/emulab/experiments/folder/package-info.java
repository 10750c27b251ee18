/**
 * A run folder: everything that one run of an experiment leaves behind (docs/experiments.md).
 *
 * <p>{@link org.aspas.emulab.experiments.folder.RunFolder} knows its files. {@link
 * org.aspas.emulab.experiments.folder.RunFacts} says what was run, {@link org.aspas.emulab.experiments.folder.MachineFacts}
 * on what, and a {@link org.aspas.emulab.experiments.folder.MeasuredStep} what came out of one step. A step whose file is
 * there is finished: a run that was cut off goes on after it.
 */
@NullMarked
package org.aspas.emulab.experiments.folder;

import org.jspecify.annotations.NullMarked;

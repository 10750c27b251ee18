/**
 * Experiments as files (docs/experiments.md): what to run, how often and in which order, and what to compare it with.
 *
 * <p>{@link org.aspas.emulab.experiments.plan.PlanReader} reads a file and names the line of the first mistake. An {@link
 * org.aspas.emulab.experiments.plan.ExperimentPlan} has parts, each a grid of steps; {@link
 * org.aspas.emulab.experiments.plan.PaperClaim}s say which figure of which step is expected where.
 */
@NullMarked
package org.aspas.emulab.experiments.plan;

import org.jspecify.annotations.NullMarked;

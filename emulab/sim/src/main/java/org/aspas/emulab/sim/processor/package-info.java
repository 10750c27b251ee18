/**
 * Processors of the simulated machines, and what work costs on them (docs/simulator-costs.md).
 *
 * <p>A {@link org.aspas.emulab.sim.processor.Machine} has k cores and one queue; its lanes are the threads of a party.
 * {@link org.aspas.emulab.sim.processor.Costs} say how long each piece of work keeps a core: signatures, codec, frames, the
 * steps of the cores by {@link org.aspas.emulab.sim.processor.StepKind}. They come from a measurement of a real machine,
 * which this package does not do: it has no clock. {@link org.aspas.emulab.sim.processor.Processors} are the machines of a
 * run. Without a {@link org.aspas.emulab.sim.processor.ProcessorModel} work takes no time, as in every campaign.
 */
@NullMarked
package org.aspas.emulab.sim.processor;

import org.jspecify.annotations.NullMarked;

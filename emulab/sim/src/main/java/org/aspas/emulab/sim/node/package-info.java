/**
 * The simulated parties: production cores with simulated shells. {@link org.aspas.emulab.sim.node.AppServerNode} runs {@code
 * appserver.core}, {@link org.aspas.emulab.sim.node.ReplicaNode} runs {@code certify.replica} behind the {@link
 * org.aspas.emulab.sim.node.Sequencer} that stands in for the ordering library, and {@link org.aspas.emulab.sim.node.ClientNode} runs
 * {@code client.core}. What a Byzantine party does otherwise is a {@link org.aspas.emulab.sim.node.ByzantineBehavior}, a {@link
 * org.aspas.emulab.sim.node.ReplicaBehavior} or a client of its own kind; the cores know nothing of it.
 *
 * <p>{@link org.aspas.emulab.sim.node.InstrumentedServer} runs the cores of an appserver under a behavior, here and behind real sockets.
 * It holds what leaves the server against what the cores want: a difference is a misdeed.
 *
 * <h2>Network</h2>
 *
 * The simulated network: sessions between servers ({@link org.aspas.emulab.sim.node.Network}) and clients' connections ({@link
 * org.aspas.emulab.sim.node.ClientLines}), with delay, loss, duplication, reordering, broken sessions and partitions in one or both
 * directions. The cores are told what production tells them: that a session is up, or gone, and the frames that came.
 *
 * <h2>Processors</h2>
 *
 * Processors of the simulated machines, and what work costs on them (docs/simulator-costs.md).
 *
 * <p>A {@link org.aspas.emulab.sim.node.Machine} has k cores and one queue; its lanes are the threads of a party. {@link
 * org.aspas.emulab.sim.node.Costs} say how long each piece of work keeps a core: signatures, codec, frames, the steps of the cores by
 * {@link org.aspas.emulab.sim.node.StepKind}. They come from a measurement of a real machine, which this package does not do: it has
 * no clock. {@link org.aspas.emulab.sim.node.Processors} are the machines of a run. Without a {@link
 * org.aspas.emulab.sim.node.ProcessorModel} work takes no time, as in every campaign.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.node;

/**
 * What must hold whatever happens: the guarantees of the protocol page, docs/protocol.md §11. Nodes tell the {@link
 * org.aspas.emulab.sim.invariant.Monitor} each {@link org.aspas.emulab.sim.invariant.Fact} when it happens. The monitor hands it to every {@link
 * org.aspas.emulab.sim.invariant.Invariant} that named the fact's type, and keeps what they find. The last fact of a run shows the whole once it
 * has come to rest. Guarantees decide by types and fields: the texts of alarms, events and failures are for people, and may change.
 *
 * <h2>Who was noticed</h2>
 *
 * What a Byzantine party did wrong, who noticed it, and what came of it: one vocabulary for the simulator and for attacks on real
 * sockets. {@link org.aspas.emulab.sim.invariant.Detections} takes both sides and measures the time between them.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.invariant;

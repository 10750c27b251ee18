/**
 * What must hold whatever happens: the guarantees of the protocol page, docs/protocol.md §11, one class each. An {@link
 * org.aspas.emulab.sim.invariant.Invariant} is told what correct parties do while they do it, and looks at the whole when a run has
 * come to rest. The {@link org.aspas.emulab.sim.invariant.Monitor} tells them and keeps what they find. Guarantees decide by types and
 * fields: the texts of alarms, events and failures are for people, and may change.
 *
 * <h2>Who was noticed</h2>
 *
 * What a Byzantine party did wrong, who noticed it, and what came of it: one vocabulary for the simulator and for attacks on real
 * sockets. {@link org.aspas.emulab.sim.invariant.Detections} takes both sides and measures the time between them.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.invariant;

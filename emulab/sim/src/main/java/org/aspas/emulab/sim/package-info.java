/**
 * The deterministic simulator: the production cores of all three tiers in virtual time on one thread, from one seed, with
 * a bad network, crashes and Byzantine parties, under the guarantees of the protocol page (docs/protocol.md §11).
 *
 * <p>Read {@link org.aspas.emulab.sim.script.Simulation} first, then {@link org.aspas.emulab.sim.node.AppServerNode}. What
 * must hold is in {@code invariant}, what goes wrong in {@code fault} and {@code role}. Two runs with equal
 * {@link org.aspas.emulab.sim.script.Settings} deliver the same events at the same times, and have the same trace hash.
 */
@NullMarked
package org.aspas.emulab.sim;

import org.jspecify.annotations.NullMarked;

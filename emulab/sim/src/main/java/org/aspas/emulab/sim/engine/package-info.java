/**
 * Virtual time, seeded randomness, and the hash of all that happened: what makes a run repeatable from its seed.
 *
 * <h2>Keys</h2>
 *
 * The keys of simulated parties: Ed25519, or a keyed hash in its place for bulk runs.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.engine;

/**
 * One run, many runs, and the way back from a violation. {@link org.aspas.emulab.sim.script.Simulation} makes the parties from {@link
 * org.aspas.emulab.sim.script.Settings}, lets them work while faults happen, heals the network, waits until all came to rest, and asks
 * what is left; {@link org.aspas.emulab.sim.script.Shrinker} leaves out what a violation does not need.
 *
 * <h2>Faults</h2>
 *
 * What goes wrong in a run besides Byzantine parties: crashes, partitions, broken connections, a bad network. The plan is made from
 * the seed before the run, fault by fault, so that a violation can be shrunk by leaving faults out.
 *
 * <h2>Scripts</h2>
 *
 * {@link org.aspas.emulab.sim.script.Scenario}s are text files beside these classes. They replace settings, add faults at a set time, and
 * direct the order of events, which {@code Schedule} carries out. {@link org.aspas.emulab.sim.world.ScriptLine} takes their lines apart, because
 * nothing that judges a run may search in a text.
 *
 * <h2>Reports</h2>
 *
 * What the simulator tells people and programs: one line per run, a summary, and JSON.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.script;

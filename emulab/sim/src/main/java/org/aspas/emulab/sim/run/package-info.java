/**
 * One run, many runs, and the way back from a violation. {@link org.aspas.emulab.sim.run.Simulation} makes the parties from
 * {@link org.aspas.emulab.sim.run.Settings}, lets them work while faults happen, heals the network, waits until all came to
 * rest, and asks what is left; {@link org.aspas.emulab.sim.run.Shrinker} leaves out what a violation does not need.
 */
@NullMarked
package org.aspas.emulab.sim.run;

import org.jspecify.annotations.NullMarked;

/**
 * Worlds: where the parties of a deployment are, how far they are from each other, and what goes wrong when.
 *
 * <p>A world is a file of YAML (docs/worlds.md). {@link org.aspas.emulab.sim.world.WorldReader} reads it and names the line of the
 * first mistake. {@link org.aspas.emulab.sim.world.WorldMap} answers how long a message takes from one party to another, and {@link
 * org.aspas.emulab.sim.world.LagBound} how long certification takes in it at least. {@link org.aspas.emulab.sim.world.WorldFault}s are
 * the events of its timeline. Nothing here has a clock or a socket: the simulator and the shells that delay real links read the same
 * map.
 *
 * <h2>YAML</h2>
 *
 * Files of YAML whose mistakes name their line. {@link org.aspas.emulab.sim.world.YamlValue} is a value that knows where it stands;
 * {@link org.aspas.emulab.sim.world.MalformedFileException} is the first mistake of a file, and what would be right. Worlds are read
 * this way, and the files of experiments. {@link org.aspas.emulab.sim.world.ScriptLine} does the same for a line of a scenario's script.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.world;

/**
 * Files of YAML whose mistakes name their line. {@link org.aspas.emulab.sim.yaml.YamlValue} is a value that knows where it
 * stands; {@link org.aspas.emulab.sim.yaml.MalformedFileException} is the first mistake of a file, and what would be right.
 * Worlds are read this way, and the files of experiments.
 */
@NullMarked
package org.aspas.emulab.sim.yaml;

import org.jspecify.annotations.NullMarked;

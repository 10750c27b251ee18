/** The files of docs/vectors that runs of the real cores make, written and read. */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.sim.vectors;

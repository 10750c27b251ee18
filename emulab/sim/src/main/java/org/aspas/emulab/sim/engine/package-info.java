/** Virtual time, seeded randomness, and the hash of all that happened: what makes a run repeatable from its seed. */
@NullMarked
package org.aspas.emulab.sim.engine;

import org.jspecify.annotations.NullMarked;

/** How the guarantees read the disks that they judge by. */
@NullMarked
package org.aspas.emulab.sim.invariant;

import org.jspecify.annotations.NullMarked;

@NullMarked
package org.aspas.emulab.sim.world;

import org.jspecify.annotations.NullMarked;

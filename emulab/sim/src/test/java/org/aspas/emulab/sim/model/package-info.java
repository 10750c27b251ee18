/** The reference model alone: against the worked example, against examples made by hand, and against a server's objects. */
@NullMarked
package org.aspas.emulab.sim.model;

import org.jspecify.annotations.NullMarked;

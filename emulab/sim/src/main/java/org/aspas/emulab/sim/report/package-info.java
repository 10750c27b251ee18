/** What the simulator tells people and programs: one line per run, a summary, and JSON. */
@NullMarked
package org.aspas.emulab.sim.report;

import org.jspecify.annotations.NullMarked;

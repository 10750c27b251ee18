/** Tests of {@code org.aspas.emulab.sim.report}. */
package org.aspas.emulab.sim.report;

/** Tests of {@code org.aspas.emulab.sim.script}. */
package org.aspas.emulab.sim.script;

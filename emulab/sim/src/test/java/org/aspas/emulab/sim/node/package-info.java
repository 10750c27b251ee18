/** Tests of {@code org.aspas.emulab.sim.node}. */
package org.aspas.emulab.sim.node;

/** Tests of {@code org.aspas.emulab.sim.network}. */
package org.aspas.emulab.sim.network;

/** Tests of {@code org.aspas.emulab.sim.processor}. */
package org.aspas.emulab.sim.processor;

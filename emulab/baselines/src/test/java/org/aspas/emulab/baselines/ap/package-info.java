/** Tests of {@code org.aspas.emulab.baselines.ap}. */
package org.aspas.emulab.baselines.ap;

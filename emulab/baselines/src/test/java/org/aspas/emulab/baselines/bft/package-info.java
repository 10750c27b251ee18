/** Tests of {@code org.aspas.emulab.baselines.bft}. */
package org.aspas.emulab.baselines.bft;

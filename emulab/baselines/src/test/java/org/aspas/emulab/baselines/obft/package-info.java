/** Tests of {@code org.aspas.emulab.baselines.obft}. */
package org.aspas.emulab.baselines.obft;

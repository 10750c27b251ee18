/** Tests of {@code org.aspas.emulab.baselines.obft.core}. */
package org.aspas.emulab.baselines.obft.core;

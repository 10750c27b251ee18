/** Tests of {@code org.aspas.emulab.experiments.run}. */
package org.aspas.emulab.experiments.run;

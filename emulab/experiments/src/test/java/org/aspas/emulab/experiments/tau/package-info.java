/** Tests of {@code org.aspas.emulab.experiments.tau}. */
package org.aspas.emulab.experiments.tau;

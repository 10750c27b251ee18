/** Tests of {@code org.aspas.emulab.experiments.report}. */
package org.aspas.emulab.experiments.report;

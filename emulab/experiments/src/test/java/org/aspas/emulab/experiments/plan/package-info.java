/** Tests of {@code org.aspas.emulab.experiments.plan}. */
package org.aspas.emulab.experiments.plan;

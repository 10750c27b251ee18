/** Tests of {@code org.aspas.emulab.experiments.usage}. */
package org.aspas.emulab.experiments.usage;

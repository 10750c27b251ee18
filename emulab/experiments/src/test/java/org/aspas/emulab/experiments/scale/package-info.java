/** Tests of {@code org.aspas.emulab.experiments.scale}. */
package org.aspas.emulab.experiments.scale;

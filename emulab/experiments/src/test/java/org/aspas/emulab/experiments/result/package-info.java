/** Tests of {@code org.aspas.emulab.experiments.result}. */
package org.aspas.emulab.experiments.result;

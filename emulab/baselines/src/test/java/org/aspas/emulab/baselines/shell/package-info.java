/** Tests of {@code org.aspas.emulab.baselines.shell}. */
package org.aspas.emulab.baselines.shell;

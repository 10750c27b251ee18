/** Tests of {@code org.aspas.emulab.experiments.execution}. */
package org.aspas.emulab.experiments.execution;

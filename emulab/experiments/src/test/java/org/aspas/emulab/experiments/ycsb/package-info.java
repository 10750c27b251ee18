/** Tests of {@code org.aspas.emulab.experiments.ycsb}. */
package org.aspas.emulab.experiments.ycsb;

/** Tests of {@code org.aspas.emulab.workload}. */
package org.aspas.emulab.workload;

/** The experiments: topologies, workloads, reports, and the commands of the launcher. */
@NullMarked
package org.aspas.emulab;

import org.jspecify.annotations.NullMarked;

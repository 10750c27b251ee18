/**
 * The nodes of a deployment as processes of this machine, and what a world's timeline does to them: {@link
 * org.aspas.emulab.lab.process.ProcessCluster} stops and continues them (SIGSTOP, SIGCONT), and kills and starts them
 * (SIGKILL). Partitions, slow links and Byzantine roles are the processes' own doing, by {@code --world} and {@code
 * --world-start}.
 */
@NullMarked
package org.aspas.emulab.lab.process;

import org.jspecify.annotations.NullMarked;

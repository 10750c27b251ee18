/**
 * Deployments on disk: {@link org.aspas.emulab.testbed.deployment.Deployment#generate} creates keys and a signed descriptor, and {@link
 * org.aspas.emulab.testbed.deployment.DeploymentDirectory} reads and writes them as a directory. A node needs only the descriptor, the
 * operator's public key and its own private keys. The files that clients read are in {@link org.aspas.client.deployment}.
 *
 * <p>{@link org.aspas.client.deployment.Folders} is the port to the disk. Tests replace it with one that discards unforced writes.
 * docs/durability.md gives the order in which a new deployment is written.
 *
 * <h2>Processes</h2>
 *
 * {@link org.aspas.emulab.testbed.deployment.ProcessCluster} runs the nodes of a deployment as processes of this machine and applies a
 * world's timeline to them: it stops and continues them (SIGSTOP, SIGCONT), and kills (SIGKILL) and restarts them. Partitions, slow
 * links and Byzantine roles are carried out by the processes themselves, given {@code --world} and {@code --world-start}.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.testbed.deployment;

/**
 * Deployments as things on disk: making keys and a signed descriptor ({@link
 * org.aspas.emulab.lab.deployment.Deployment#generate}), and reading and writing them as a directory ({@link
 * org.aspas.emulab.lab.deployment.DeploymentDirectory}). Each node needs the descriptor, the operator's public key and its own
 * private keys, and nothing else. What clients read is in {@link org.aspas.client.deployment}.
 *
 * <p>{@link org.aspas.client.deployment.Folders} is the port to the disk, so that tests can take away what was not forced. In
 * which order a new deployment is written is in docs/durability.md.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.lab.deployment;

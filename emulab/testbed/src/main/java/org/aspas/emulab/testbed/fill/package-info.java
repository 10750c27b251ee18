/**
 * Deployments that start with a large state: {@link org.aspas.emulab.testbed.fill.StoreSeeder} runs the cores of all servers in one
 * process, without sockets and in virtual time, on the stores of a new deployment. Nodes that start on these stores continue from
 * there. In bulk mode only one appserver's core runs, and {@code SyntheticPeers} write the records that the others would
 * have written.
 */
@NullMarked
package org.aspas.emulab.testbed.fill;

import org.jspecify.annotations.NullMarked;

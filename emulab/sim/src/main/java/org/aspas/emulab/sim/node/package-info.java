/**
 * The simulated parties: production cores with simulated shells. {@link org.aspas.emulab.sim.node.AppServerNode} runs
 * {@code appserver.core}, {@link org.aspas.emulab.sim.node.ReplicaNode} runs {@code certify.replica} behind the
 * {@link org.aspas.emulab.sim.node.Sequencer} that stands in for the ordering library, and
 * {@link org.aspas.emulab.sim.node.ClientNode} runs {@code client.core}. What a Byzantine party does otherwise is a
 * {@link org.aspas.emulab.sim.node.ServerConduct}, a {@link org.aspas.emulab.sim.node.ReplicaConduct} or a client of its
 * own kind; the cores know nothing of it.
 *
 * <p>{@link org.aspas.emulab.sim.node.ConductedServer} runs the cores of an appserver under a conduct, here and behind real
 * sockets. It holds what leaves the server against what the cores want: a difference is a misdeed.
 */
@NullMarked
package org.aspas.emulab.sim.node;

import org.jspecify.annotations.NullMarked;

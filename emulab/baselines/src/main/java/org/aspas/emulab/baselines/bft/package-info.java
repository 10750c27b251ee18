/**
 * The baseline of state machine replication (docs/systems/bft.md): every update and every read is a command. BFT-SMaRt orders the
 * commands, every replica executes them on counters and sets, and a client accepts an answer when b+1 replicas agree on it.
 *
 * <p>{@link org.aspas.emulab.baselines.bft.OrderedStore} is the service that a replica executes. The replicas are bare ({@code
 * BareReplicas}: the library with its own ports and its own client protocol) or contained ({@link
 * org.aspas.emulab.baselines.bft.ContainedReplicas}: behind the isolation of ASPAS's bftservers). Clients reach contained replicas over
 * links ({@link org.aspas.emulab.baselines.bft.DirectClients}) or through an appserver ({@link
 * org.aspas.emulab.baselines.bft.RelayMachine}).
 */
@NullMarked
package org.aspas.emulab.baselines.bft;

import org.jspecify.annotations.NullMarked;

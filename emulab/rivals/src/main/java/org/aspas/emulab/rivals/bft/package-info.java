/**
 * State machine replication that ASPAS is measured against: every update and every read is a command, BFT-SMaRt orders it, every
 * replica executes it on counters and sets, and a client believes an answer that b+1 replicas gave alike (docs/systems/bft.md).
 *
 * <p>{@link org.aspas.emulab.rivals.bft.OrderedStore} is what a replica executes. The replicas are bare ({@link
 * org.aspas.emulab.rivals.bft.BareReplicas}: the library with its own ports and its own client protocol) or contained ({@link
 * org.aspas.emulab.rivals.bft.ContainedReplicas}: behind the isolation of ASPAS's bftservers). Clients reach contained ones over
 * links ({@link org.aspas.emulab.rivals.bft.DirectClients}), or through an appserver ({@link
 * org.aspas.emulab.rivals.bft.RelayMachine}).
 */
@NullMarked
package org.aspas.emulab.rivals.bft;

import org.jspecify.annotations.NullMarked;

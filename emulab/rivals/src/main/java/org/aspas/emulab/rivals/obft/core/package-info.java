/**
 * The rival OBFT as pure state machines, reconstructed: of its source (Chai and Zhao, Byzantine fault tolerance for services
 * with commutative operations, SCC 2014) the full text was not to be had. docs/systems/obft.md says what is known and what is
 * not.
 *
 * <p>{@link org.aspas.emulab.rivals.obft.core.ObftReplica} is one of N = 3f+1 replicas: {@link
 * org.aspas.emulab.rivals.obft.core.Event} in, {@link org.aspas.emulab.rivals.obft.core.Effect} out. {@link
 * org.aspas.emulab.rivals.obft.core.ObftClient} is a client. Neither has a clock, a thread or a socket. What others send is
 * decoded by {@link org.aspas.emulab.rivals.obft.core.ObftCodec}; what is malformed or forged is counted and dropped.
 *
 * <p>Operations since the last synchronisation are in {@link org.aspas.emulab.rivals.obft.core.EpochLog}, one hash chain per
 * origin, and their effects in {@link org.aspas.emulab.rivals.obft.core.EpochObjects}. {@link
 * org.aspas.emulab.rivals.obft.core.Agreement} finds the {@link org.aspas.emulab.rivals.obft.core.AgreedSet} of an epoch, and
 * {@link org.aspas.emulab.rivals.obft.core.Fetching} gets what of it a replica lacks.
 *
 * <p>Invariants: correct replicas install the same set for an epoch; an operation is in it exactly if f+1 of the agreed logs
 * have it; a correct replica enters those of its own operations that are not in it again.
 */
@NullMarked
package org.aspas.emulab.rivals.obft.core;

import org.jspecify.annotations.NullMarked;

/**
 * The baseline OBFT as pure state machines. It is a reconstruction, because the full text of its source (Chai and Zhao, Byzantine
 * fault tolerance for services with commutative operations, SCC 2014) was not available; docs/systems/obft.md says what is known and
 * what is not.
 *
 * <p>{@link org.aspas.emulab.baselines.obft.core.ObftReplica} is one of N = 3f+1 replicas: {@link
 * org.aspas.emulab.baselines.obft.core.Event} in, {@link org.aspas.emulab.baselines.obft.core.Effect} out. {@link
 * org.aspas.emulab.baselines.obft.core.ObftClient} is a client. Neither has a clock, a thread or a socket. {@link
 * org.aspas.emulab.baselines.obft.core.ObftCodec} decodes received messages; malformed and forged ones are counted and dropped.
 *
 * <p>Operations since the last synchronisation are in {@link org.aspas.emulab.baselines.obft.core.EpochLog}, one hash chain per
 * origin, and their effects in {@link org.aspas.emulab.baselines.obft.core.EpochObjects}. {@link
 * org.aspas.emulab.baselines.obft.core.Agreement} finds the {@link org.aspas.emulab.baselines.obft.core.AgreedSet} of an epoch, and
 * {@link org.aspas.emulab.baselines.obft.core.Fetching} fetches the parts that a replica lacks.
 *
 * <p>Invariants: correct replicas install the same set for an epoch. It contains an operation exactly if f+1 of the agreed logs do. A
 * correct replica enters those of its own operations again that the set lacks.
 */
@NullMarked
package org.aspas.emulab.baselines.obft.core;

import org.jspecify.annotations.NullMarked;

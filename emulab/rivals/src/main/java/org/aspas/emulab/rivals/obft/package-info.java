/**
 * The rival OBFT, reconstructed, on real sockets (docs/systems/obft.md): the pure cores of {@link
 * org.aspas.emulab.rivals.obft.core} behind links to the other replicas and binary sessions to the clients.
 *
 * <p>{@link org.aspas.emulab.rivals.obft.ObftSystem} is all replicas in this process, for workloads. {@link
 * org.aspas.emulab.rivals.obft.ObftServer} is one replica: its core has a thread of its own; {@link
 * org.aspas.bftcluster.link.NodeLinks} bring frames of replicas, {@link org.aspas.emulab.rivals.obft.ObftDoor} those of
 * clients. {@link org.aspas.emulab.rivals.obft.ObftSession} is one client. {@link
 * org.aspas.emulab.rivals.obft.SynchronisationMeter} tells where the time goes.
 */
@NullMarked
package org.aspas.emulab.rivals.obft;

import org.jspecify.annotations.NullMarked;

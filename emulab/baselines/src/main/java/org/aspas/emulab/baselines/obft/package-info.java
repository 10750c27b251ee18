/**
 * The baseline OBFT, reconstructed, on real sockets (docs/systems/obft.md): the pure cores of {@link
 * org.aspas.emulab.baselines.obft.core} behind links to the other replicas and binary sessions to the clients.
 *
 * <p>{@link org.aspas.emulab.baselines.obft.ObftSystem} runs all replicas in this process, for workloads. {@link
 * org.aspas.emulab.baselines.obft.ObftServer} is one replica, whose core has its own thread: {@link
 * org.aspas.bftcluster.link.NodeLinks} receive the frames of other replicas, and a listener receives those of clients. {@link
 * org.aspas.emulab.baselines.obft.ObftSession} is one client. {@link org.aspas.emulab.baselines.obft.SynchronisationMeter} measures how
 * long a replica spends in each phase and how busy its core is.
 */
@NullMarked
package org.aspas.emulab.baselines.obft;

import org.jspecify.annotations.NullMarked;

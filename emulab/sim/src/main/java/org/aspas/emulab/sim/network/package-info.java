/**
 * The simulated network: sessions between servers ({@link org.aspas.emulab.sim.network.Network}) and clients' connections
 * ({@link org.aspas.emulab.sim.network.ClientLines}), with delay, loss, duplication, reordering, broken sessions and
 * partitions in one or both directions. The cores are told what production tells them: that a session is up, or gone, and
 * the frames that came.
 */
@NullMarked
package org.aspas.emulab.sim.network;

import org.jspecify.annotations.NullMarked;

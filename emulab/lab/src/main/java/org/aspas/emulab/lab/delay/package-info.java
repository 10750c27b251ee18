/**
 * The distances of a world on real sockets. One {@link org.aspas.emulab.lab.delay.EmulatedNetwork} for each process gives
 * every node and client there the delay that the world says: {@link org.aspas.bftcluster.link.LinkDelay} for what a server
 * sends to servers, {@link org.aspas.client.transport.TransportDelay} for both directions between a client and an appserver.
 *
 * <p>Frames are delayed, once for each direction. Not delayed are the handshakes of TCP, TLS and WebSocket, empty frames that
 * keep a link alive, and whatever asks a server over plain HTTP, such as the testbed's own questions and JSON clients.
 *
 * <p>A frame waits with its sender until it is due, and what it then was late is counted for each network between two tiers:
 * {@link org.aspas.emulab.lab.delay.DelayReport}. The way through the sockets comes on top and is not counted.
 *
 * <p>The world's partitions and slow links act from {@link org.aspas.emulab.lab.delay.EmulatedNetwork#begin} to {@link
 * org.aspas.emulab.lab.delay.EmulatedNetwork#end}. While parties are apart, frames wait; links on which nobody hears anything
 * for long enough end, and with them what waits.
 */
@NullMarked
package org.aspas.emulab.lab.delay;

import org.jspecify.annotations.NullMarked;

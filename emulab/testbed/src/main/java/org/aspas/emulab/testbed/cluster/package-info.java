/**
 * A whole deployment in one process. {@link org.aspas.emulab.testbed.cluster.Cluster} starts every appserver and bftserver on real
 * loopback sockets, and stops and restarts single ones. {@link org.aspas.emulab.testbed.cluster.AppserverProbe} queries one appserver
 * over HTTP. A cluster can be placed in a world ({@link org.aspas.emulab.testbed.cluster.ClusterWorld}).
 *
 * <h2>Delays</h2>
 *
 * Real sockets emulate the distances of a world. One {@link org.aspas.emulab.testbed.cluster.EmulatedNetwork} for each process gives
 * every node and client in it the delays of the world: {@link org.aspas.bftcluster.link.LinkDelay} for messages between servers, {@link
 * org.aspas.client.net.TransportDelay} for both directions between a client and an appserver.
 *
 * <p>Each frame is delayed once on its way. Not delayed are the handshakes of TCP, TLS and WebSocket, empty frames that keep a link
 * alive, and plain HTTP requests, such as those of the testbed itself and of JSON clients.
 *
 * <p>A frame waits at its sender until it is due. {@link org.aspas.emulab.testbed.cluster.DelayReport} counts how late frames then
 * leave, for each network between two tiers. The time through the sockets comes on top and is not counted.
 *
 * <p>The world's partitions and slow links act from {@link org.aspas.emulab.testbed.cluster.EmulatedNetwork#begin} to {@link
 * org.aspas.emulab.testbed.cluster.EmulatedNetwork#end}. During a partition, frames between its sides wait. A link that receives nothing
 * for too long ends, and its waiting frames are lost.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.testbed.cluster;

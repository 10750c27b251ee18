/**
 * What stands between a replica of the ordering library and everybody else.
 *
 * <p>The library is not fit to be reached by strangers, nor by a Byzantine replica (docs/security.md). Here it is
 * reached by neither: it listens at no port, and its connections end in its own process, at {@link
 * org.aspas.bftcluster.shield.ReplicaShield}. The shields of two bftservers talk over the nodes' mutually authenticated
 * links ({@code link}); what one says there is an {@link org.aspas.bftcluster.shield.Envelope}:
 *
 * <ul>
 *   <li>PRESENT: the {@link org.aspas.bftcluster.shield.Greeting} with which the sender's library introduces itself. It is
 *       the same for ever, so both shields know it and answer their libraries at once: no library ever waits for a peer.
 *   <li>FRAME: one whole frame of the library, passed on only when {@code frame.FrameCheck} accepts it.
 *   <li>REQUEST: a request to order. Every bftserver gives its requests to all replicas in this way ({@link
 *       org.aspas.bftcluster.shield.RequestDesk}), under client ids of its own; there is no other way in.
 *   <li>READY: the sender's replica takes part. Requests wait for that ({@link
 *       org.aspas.bftcluster.shield.OrderingGate}).
 *   <li>WAITS: a request waits in the sender's replica although the leader was told ({@link
 *       org.aspas.bftcluster.shield.Doubts}).
 * </ul>
 *
 * <p>The connections with the local library last as long as the library does, whatever happens to a peer: while a peer is
 * away its frames are dropped. So the library neither reconnects nor loses a peer's key. Lower-numbered peers are dialled
 * by the library, at a loopback port that only this process knows ({@link org.aspas.bftcluster.shield.Tunnel});
 * higher-numbered ones come in through the replica's door, without any port ({@link
 * org.aspas.bftcluster.shield.Doorway}).
 *
 * <p>A peer's second votes are held back until the own replica has voted for the same value: {@link
 * org.aspas.bftcluster.shield.HeldVotes}. Proposals of a peer that does not lead stay away: {@link
 * org.aspas.bftcluster.shield.Proposals}. Requests that a peer passes on are given to the library when enough others have
 * them too.
 *
 * <p>Invariants: the library gets whole frames only, and none after which a frame could be cut off; every queue is
 * bounded, and what does not fit is dropped whole and counted; nothing a peer sends is deserialized here.
 */
@NullMarked
package org.aspas.bftcluster.shield;

import org.jspecify.annotations.NullMarked;

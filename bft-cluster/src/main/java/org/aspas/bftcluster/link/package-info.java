/**
 * The links of a node: framed connections to other nodes of the deployment, on which both sides prove who they are.
 * Appservers and bftservers use the same links.
 *
 * <p>Each node has one {@link org.aspas.bftcluster.link.NodeLinks}; read it first. A node dials every peer that it wants to
 * talk to. It sends only on connections that it dialled ({@link org.aspas.bftcluster.link.Dialler}), and receives only on
 * connections that it accepted ({@code AcceptedConnection}). So two connections that cross need
 * no rule for which of them counts.
 *
 * <h2>Strangers</h2>
 * <p>Anybody can connect. {@link org.aspas.bftcluster.link.LinkAcceptor} accepts and authenticates on a thread of its own;
 * only a connection whose dialler has shown a peer's key moves to the threads of the links ({@code UnauthenticatedConnection}). Until then it has one of a few places ({@link
 * org.aspas.bftcluster.link.ConnectionPlaces}), a short time, and no TLS before it has sent something. The oldest makes room
 * for the newest, of the address that has most; connections from addresses of nodes have places of their own, and so have
 * those whose handshake has begun. What
 * strangers do is counted ({@link org.aspas.bftcluster.link.LinkCounters}), and logged at DEBUG only.
 *
 * <h2>On the wire</h2>
 * <p>TLS 1.3. Each side shows a certificate over its one Ed25519 key, and accepts the other side only when the descriptor
 * names that raw key. Inside TLS there are frames: a big-endian 4-byte length, then that many bytes. An empty frame carries
 * no message:
 * <ul>
 *   <li>The accepting side sends one when it has verified the dialler. A dialler needs it: in TLS 1.3 its own handshake ends
 *       before the other side has judged its certificate.
 *   <li>A dialler that has heard nothing for a while sends one, and the accepting side returns it. So each side notices when
 *       the other has vanished.
 * </ul>
 *
 * <h2>Distance on one machine</h2>
 * <p>For experiments a node is given a {@link org.aspas.bftcluster.link.LinkDelay}. Then frames wait at the sender until they
 * have travelled ({@link org.aspas.bftcluster.link.DelayedFrames}); what waits counts against the bytes that may wait for a
 * peer. TLS handshakes and empty frames are not delayed. Where a way is not open, nobody dials, and empty frames stay
 * unanswered: a partition that lasts ends the connections, as it does on a real network. Without a {@code LinkDelay}, which
 * is what a deployment runs, frames are written at once.
 *
 * <h2>Invariants</h2>
 * <ul>
 *   <li>The {@link org.aspas.bftcluster.link.LinkListener} gets a frame only from an authenticated peer, whole, and at most
 *       {@link org.aspas.bftcluster.link.LinkLimits#maxFrameBytes()} long. Frames of one connection come in the order of
 *       sending.
 *   <li>Frames may be lost when a connection breaks. Whoever needs more repeats them.
 *   <li>Everything is bounded: frames, bytes that wait for a peer, connections that are not authenticated, the time of a
 *       handshake.
 *   <li>An accepted connection has handlers for frames only on an event loop of the established links, never on the
 *       acceptor's.
 *   <li>The I/O threads never wait. A listener that cannot take more of a peer pauses that peer alone ({@link
 *       org.aspas.bftcluster.link.NodeLinks#pause}).
 * </ul>
 */
@NullMarked
package org.aspas.bftcluster.link;

import org.jspecify.annotations.NullMarked;

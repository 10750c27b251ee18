/**
 * The isolation layer of a bftserver: everything between its replica of the ordering library and the rest of the world.
 *
 * <p>A stranger must not reach the library, nor may a Byzantine replica say to it what it likes (docs/security.md). So the
 * library listens at no port. Its connections end in its own process, at the {@link
 * org.aspas.bftcluster.isolation.IsolatedReplica}. The isolation layers of two bftservers talk over the link between the nodes
 * ({@code link}). Each frame of that link is an {@link org.aspas.bftcluster.isolation.Envelope}:
 *
 * <table>
 *   <caption>What one isolation layer sends another</caption>
 *   <tr><th>Kind</th><th>Content</th><th>The receiver's isolation layer</th></tr>
 *   <tr><td>HANDSHAKE</td><td>what the sender's library says first</td><td>checks it once, then connects its library with
 *       the sender</td></tr>
 *   <tr><td>FRAME</td><td>one whole frame of the sender's library</td><td>judges it, and may deliver it</td></tr>
 *   <tr><td>REQUEST</td><td>a request of the sender, to be ordered</td><td>checks the owner, puts it into the pool, and
 *       gives it to its library</td></tr>
 *   <tr><td>READY</td><td>nothing: the sender's replica takes part</td><td>opens its start barrier a little</td></tr>
 *   <tr><td>WAITS</td><td>the name of a request that the sender passed on to its leader</td><td>counts who has that
 *       request</td></tr>
 * </table>
 *
 * <h2>The way of a frame</h2>
 * <ol>
 *   <li>The library writes bytes. {@code LibraryFrameDecoder} cuts them into frames.
 *   <li>{@link org.aspas.bftcluster.isolation.OutgoingFrames} notes the replica's own first votes and what it passes on to its
 *       leader, and sends the frame.
 *   <li>At the receiver {@code IncomingFrames} asks {@code frame.FrameCheck} for a verdict and
 *       charges the sender's {@code frame.PeerAllowance}.
 *   <li>A second vote waits in {@link org.aspas.bftcluster.isolation.HeldVotes} until the own replica has voted for the same
 *       value. A proposal of the next leader waits in {@code HeldProposals}. A request that
 *       was passed on goes to {@link org.aspas.bftcluster.isolation.LeaderSuspicion}. All else is delivered at once.
 *   <li>{@link org.aspas.bftcluster.isolation.PeerSession} delivers through the peer's {@link
 *       org.aspas.bftcluster.isolation.LibraryConnection}. The library dials lower-numbered peers: a {@code LoopbackConnection} waits for it at a port of this host. Higher-numbered peers would
 *       dial the library: an {@code InMemoryConnection} does it for them, without a port.
 * </ol>
 *
 * <h2>The way of a command</h2>
 * <ol>
 *   <li>{@link org.aspas.bftcluster.isolation.OrderingClient} numbers the command in a session of this bftserver and gives the
 *       request to all replicas that are linked. There is no other way in.
 *   <li>At each replica {@link org.aspas.bftcluster.isolation.RequestPool} takes it in its owner's share, and {@link
 *       org.aspas.bftcluster.isolation.RequestInjector} gives it to the library once the {@link
 *       org.aspas.bftcluster.isolation.StartBarrier} is open.
 *   <li>The library orders and executes it. The own replica's answer completes the command.
 * </ol>
 *
 * <h2>Invariants</h2>
 * <ul>
 *   <li>The library gets whole frames only, and no connection of its ends inside a frame.
 *   <li>A library's connections last as long as the library. While a peer is away, frames for it are dropped; the library
 *       neither reconnects nor loses the peer's key.
 *   <li>Nothing that a peer sends is deserialized here.
 *   <li>Every queue and map is bounded. What does not fit is dropped whole and counted ({@link
 *       org.aspas.bftcluster.isolation.IsolationCounters}).
 * </ul>
 */
@NullMarked
package org.aspas.bftcluster.isolation;

import org.jspecify.annotations.NullMarked;

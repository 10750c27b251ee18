/**
 * The shells of an appserver that talk to others: binary sessions of clients, what is said on them, links to the peers, and the actor
 * that owns the core.
 *
 * <h2>The actor</h2>
 *
 * Everything that happens to an appserver becomes an event in the mailbox of {@code CoreActor}, which carries out the effects in the
 * order the core gives them. It runs on a thread of its own, so that a slow client or link cannot delay it, and needs no lock. The
 * mailbox is bounded by its senders: a session and a link stop being read while too many of their frames wait, and the JSON client has
 * a window. The mailbox itself drops nothing, because a lost {@code ClientGone} or {@code Persisted} would never come again. An exception
 * out of the core is a bug that leaves its state in doubt: the actor stops, and the server answers nobody any more.
 *
 * <p>{@code AppServerLag} watches what goes in and what comes out, and measures how long certification takes from step to step.
 * {@code ObjectPrefetcher} has cold objects read before the actor gets what needs them ({@code NeededObjects}).
 *
 * <h2>Clients</h2>
 *
 * A {@link org.aspas.appserver.net.Conversation} is what a server and one connected client say to each other, whatever carries it. It
 * decodes frames and verifies the client's signature before the core is asked for anything; a client that offends waits, and one
 * that does not read is cut. What waits is bounded in bytes in both directions, for all clients together ({@code IncomingBytes},
 * {@code OutgoingBytes}), and clients take turns ({@code Turns}). Two listeners carry it: {@code org.aspas.appserver.http} for
 * WebSockets, and {@link org.aspas.appserver.net.SessionPort} for clients in a hurry, which is TCP with frames behind their lengths.
 * Everything of one connection happens on its event loop, but for what the core sends, which waits in a queue.
 *
 * <h2>Peers</h2>
 *
 * {@link org.aspas.appserver.net.PeerLinks} is the end of the links to the other appservers and to the bftservers ({@link
 * org.aspas.bftcluster.link.NodeLinks}). Frames are decoded on threads of its own ({@link org.aspas.appserver.net.PeerInbox}), in each
 * peer's order, and never on the I/O threads; bytes that are no message of the protocol, and what is signed wrongly, are counted and
 * dropped. Links are authenticated by TLS, so the core knows which server speaks; what it says is the core's to verify.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.appserver.net;

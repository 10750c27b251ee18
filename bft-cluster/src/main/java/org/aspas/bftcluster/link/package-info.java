/**
 * The mutually authenticated, framed connection between two nodes of a deployment; appservers and bftservers use the
 * same one.
 *
 * <p>{@link org.aspas.bftcluster.link.NodeLinks} is the way in: one per node. Every node dials every peer that it wants
 * to talk to, sends only on connections that it has dialled, and receives only on those that it has accepted; so there
 * is no question of which of two crossing connections is the right one.
 *
 * <p>On the wire: TLS 1.3, both sides with a certificate over their one Ed25519 key, accepted only when that raw key is
 * in the deployment descriptor. Inside it, frames: a big-endian 4-byte length and that many bytes. An empty frame
 * carries no message: the accepting side sends one when it has verified the dialler (in TLS 1.3 a dialler finishes its
 * handshake before its own certificate has been judged), the dialler sends one when it has been silent for a while, and
 * the accepting side returns it, so that a connection whose other end has vanished is noticed.
 *
 * <p>Invariants: a frame reaches the listener only from an authenticated peer, whole, at most
 * {@link org.aspas.bftcluster.link.LinkLimits#maxFrameBytes()} long, and in the order of sending within one connection.
 * Frames may be lost when a connection breaks; whoever needs more repeats them. Everything is bounded: frame size,
 * bytes waiting per peer, accepted connections, and the time of a handshake. A peer that sends more than the listener can
 * take is paused alone ({@link org.aspas.bftcluster.link.NodeLinks#pause}); the I/O threads never wait.
 */
@NullMarked
package org.aspas.bftcluster.link;

import org.jspecify.annotations.NullMarked;

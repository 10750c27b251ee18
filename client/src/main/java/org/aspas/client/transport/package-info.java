/**
 * How frames travel between a client and its appserver. {@link org.aspas.client.transport.Transport} is the port, and there
 * are two ways behind it. {@link org.aspas.client.transport.SocketTransport} is a binary session over TCP, on Netty. {@link
 * org.aspas.client.transport.WebSocketTransport} goes through the server's HTTP port (RFC 6455, one binary message per
 * frame). {@link org.aspas.client.transport.DelayedTransport} lets frames of either take the time that a {@link
 * org.aspas.client.transport.TransportDelay} says, for experiments on one machine. Without one, frames are sent at once.
 *
 * <p>Both go by TLS where the descriptor says so. {@link org.aspas.client.transport.ServerTrust} says whose certificates are good.
 * It hides what is said from the network, and nothing rests on it but that: clients verify what servers sign.
 *
 * <p>All types are safe for use by several threads; a listener is called by one thread at a time.
 */
@NullMarked
package org.aspas.client.transport;

import org.jspecify.annotations.NullMarked;

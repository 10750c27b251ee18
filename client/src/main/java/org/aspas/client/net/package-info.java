/**
 * The transport of frames between a client and its appserver. {@link org.aspas.client.net.Transport} is the port, with two
 * implementations: {@link org.aspas.client.net.SocketTransport} is a binary session over TCP, on Netty, and {@link
 * org.aspas.client.net.WebSocketTransport} uses the server's HTTP port (RFC 6455, one binary message per frame). For experiments on one
 * machine, {@link org.aspas.client.net.DelayedTransport} delays the frames of either as a {@link org.aspas.client.net.TransportDelay}
 * says.
 *
 * <p>Both use TLS if the descriptor says so; {@link org.aspas.client.net.ServerTrust} decides which certificates are valid. TLS only
 * provides confidentiality: integrity does not depend on it, because clients verify what servers sign.
 *
 * <p>All types are safe for use by several threads; a listener is called by one thread at a time.
 */
@NullMarked
package org.aspas.client.net;

import org.jspecify.annotations.NullMarked;

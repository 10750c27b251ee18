/**
 * How frames travel between a client and its appserver. {@link org.aspas.client.transport.Transport} is the port; {@link
 * org.aspas.client.transport.WebSocketTransport} is what the library uses (RFC 6455, one binary message per frame) and
 * {@link org.aspas.client.transport.DelayedTransport} lets frames take the time that a {@link
 * org.aspas.client.transport.TransportDelay} says, for experiments on one machine. Without one, frames are sent at once.
 *
 * <p>All types are safe for use by several threads; a listener is called by one thread at a time.
 */
@NullMarked
package org.aspas.client.transport;

import org.jspecify.annotations.NullMarked;

/**
 * How frames travel between a client and its appserver. {@link org.aspas.client.transport.Transport} is the port; {@link
 * org.aspas.client.transport.WebSocketTransport} is what the library uses (RFC 6455, one binary message per frame) and
 * {@link org.aspas.client.transport.DelayedTransport} adds an artificial round-trip time for experiments on one machine.
 *
 * <p>All types are safe for use by several threads; a listener is called by one thread at a time.
 */
@NullMarked
package org.aspas.client.transport;

import org.jspecify.annotations.NullMarked;

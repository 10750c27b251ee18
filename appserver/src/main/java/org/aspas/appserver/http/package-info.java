/**
 * The shell that clients reach: one HTTP port with a WebSocket for the protocol and JSON for everybody else.
 *
 * <p>{@link org.aspas.appserver.http.HttpServer} binds the port. {@code GET /v1/session} becomes a WebSocket
 * ({@code SessionSocket}): every binary message is one frame of the protocol, which a {@link
 * org.aspas.appserver.net.Conversation} decodes and verifies on the connection's own thread, before the core sees it. All other paths are JSON ({@code JsonApi}): those that
 * update or read objects go through {@link org.aspas.appserver.http.JsonClient}, a client like any other that lives inside
 * the server, so that the core knows one kind of client only ({@code UpdateWindow} numbers its updates). Who uses JSON
 * trusts this server, but for a certified read with its proof; {@link org.aspas.appserver.http.JsonAccess} says who may.
 *
 * <p>{@code Endpoint} is the list of all that is answered, with the parameters of each; {@code RoutedRequest} refuses what is not on it,
 * and a test compares it with the description {@code openapi.yaml}. {@code WatchHub} gives the changes of objects, which the core tells
 * once, to all streams that want them; a stream whose reader is slow loses its oldest events, and says how many.
 *
 * <p>Web pages of other origins than those of {@link org.aspas.appserver.http.WebOrigins} are refused ({@code CorsPolicy}),
 * and so are bodies that could be read in two ways ({@code JsonBody}).
 *
 * <p>Nothing here knows the core's thread: {@link org.aspas.appserver.port.ClientPort} is all that this package asks
 * for. What comes from outside is never trusted: sizes are bounded before anything is read, bytes that are no message
 * end their own connection and nothing else, and errors are problem documents (RFC 9457). The number of
 * connections without a session and the time that a request may take are bounded ({@code HttpConnections}). What Akka says of single
 * connections is logged at DEBUG ({@code ConnectionLog}), since strangers bring it about.
 */
@NullMarked
package org.aspas.appserver.http;

import org.jspecify.annotations.NullMarked;

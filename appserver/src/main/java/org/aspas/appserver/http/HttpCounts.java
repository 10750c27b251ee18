package org.aspas.appserver.http;

/**
 * What has happened at a server's listeners since it started.
 *
 * @param sessionsOpened WebSocket connections accepted
 * @param framesReceived binary messages taken from WebSockets
 * @param malformedFrames frames that are no message of a client; each ended its connection
 * @param oversizedFrames frames above the limit or too slow to arrive; each ended its connection
 * @param textFrames text messages on a WebSocket; each ended its connection
 * @param badSignatures client-signed messages whose signature does not verify
 * @param slowClients connections closed because the client did not read its answers
 * @param strangersEnded WebSocket connections without a session that were ended to make room for another one
 * @param connectionsEnded other connections that were ended to make room for another one, or because no request came in time
 * @param handshakesFailed connections by TLS that ended before anything could be said: their clients speak no TLS, do not trust
 *     the certificate, or took too long; at the HTTP port, all that ended before their first request
 * @param requests HTTP requests answered, the upgrades to WebSocket included
 * @param problems of those, answered with a problem document
 * @param unreadableRequests of those, the ones that were no HTTP request of a known method at all
 * @param eventsDropped events that were dropped because the reader of a stream was slow
 */
public record HttpCounts(
        long sessionsOpened,
        long sessionsClosed,
        long framesReceived,
        long malformedFrames,
        long oversizedFrames,
        long textFrames,
        long badSignatures,
        long slowClients,
        long strangersEnded,
        long connectionsEnded,
        long handshakesFailed,
        long requests,
        long problems,
        long unreadableRequests,
        long streamsOpened,
        long streamsClosed,
        long eventsDropped) {}

package org.aspas.appserver.net;

/**
 * What has happened in the conversations of a server since it started.
 *
 * @param sessionsOpened conversations begun
 * @param malformedFrames frames that are no message of a client; each ended its connection
 * @param oversizedFrames frames above the limit or too slow to arrive; each ended its connection
 * @param textFrames text messages on a WebSocket; each ended its connection
 * @param badSignatures client-signed messages whose signature does not verify
 * @param slowClients connections closed because the client did not read its answers
 * @param strangersEnded connections without a session that were ended to make room for another one
 * @param handshakesFailed connections by TLS that ended in their handshake, so that no conversation began
 */
public record ConversationCounts(
        long sessionsOpened,
        long sessionsClosed,
        long framesReceived,
        long malformedFrames,
        long oversizedFrames,
        long textFrames,
        long badSignatures,
        long slowClients,
        long strangersEnded,
        long handshakesFailed) {}

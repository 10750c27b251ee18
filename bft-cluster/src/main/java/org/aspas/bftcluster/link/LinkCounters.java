package org.aspas.bftcluster.link;

/**
 * What a node's links have done since they were made. Empty frames are not counted.
 *
 * @param bytesIn their bytes, without lengths and TLS
 * @param framesOut frames handed to the network
 * @param sendsRefused frames that {@link NodeLinks#send} did not take: not connected, too large, or too much waiting
 * @param handshakesRejected accepted connections that did not become authenticated: foreign key, not TLS, too slow, or left
 * @param dialsFailed dialled connections that did not become authenticated
 * @param oversizedFrames connections closed because a peer announced a frame above the limit
 * @param connectionsRefused accepted connections that had to make room for another one before they were authenticated
 */
public record LinkCounters(
        long framesIn,
        long bytesIn,
        long framesOut,
        long bytesOut,
        long sendsRefused,
        long handshakesRejected,
        long dialsFailed,
        long oversizedFrames,
        long connectionsRefused) {}

package org.aspas.bftcluster.link;

/**
 * The bounds of a node's links.
 *
 * @param maxFrameBytes the largest frame sent or accepted, in bytes; 1 to 2^30
 * @param maxQueuedBytes how many bytes may wait for one peer before {@link NodeLinks#send} refuses; at least
 *     {@code maxFrameBytes}
 * @param maxAcceptedConnections how many accepted connections may exist at once, authenticated or not; at least 1
 * @param handshakeTimeoutMillis how long a TLS handshake may take, in milliseconds; at least 1
 * @param minRetryMillis the first pause before dialling again, in milliseconds; at least 1
 * @param maxRetryMillis the longest pause before dialling again, in milliseconds; at least {@code minRetryMillis}
 * @param idleMillis a dialler that has heard nothing for so long sends an empty frame, which is answered; after three
 *     times this silence either side closes; in milliseconds, at least 10
 */
public record LinkLimits(
        int maxFrameBytes,
        long maxQueuedBytes,
        int maxAcceptedConnections,
        int handshakeTimeoutMillis,
        int minRetryMillis,
        int maxRetryMillis,
        int idleMillis) {
    /** Checks every range and relation. */
    public LinkLimits {
        check("maxFrameBytes", maxFrameBytes, 1, 1 << 30);
        check("maxQueuedBytes", maxQueuedBytes, maxFrameBytes, Long.MAX_VALUE);
        check("maxAcceptedConnections", maxAcceptedConnections, 1, 1 << 20);
        check("handshakeTimeoutMillis", handshakeTimeoutMillis, 1, Integer.MAX_VALUE);
        check("minRetryMillis", minRetryMillis, 1, Integer.MAX_VALUE / 2);
        check("maxRetryMillis", maxRetryMillis, minRetryMillis, Integer.MAX_VALUE / 2);
        check("idleMillis", idleMillis, 10, Integer.MAX_VALUE / 3);
    }

    /** Frames to 8 MiB, 64 MiB waiting per peer, 256 connections, 5 s handshakes, retries after 0.1 to 3 s, 5 s idle. */
    public static LinkLimits defaults() {
        return new LinkLimits(8 << 20, 64L << 20, 256, 5_000, 100, 3_000, 5_000);
    }

    private static void check(String key, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

package org.aspas.bftcluster.link;

/**
 * The bounds of a node's links.
 *
 * @param maxFrameBytes the largest frame sent or accepted, in bytes; 1 to 2^30
 * @param maxQueuedBytes how many bytes may wait for one peer before {@link NodeLinks#send} refuses; at least
 *     {@code maxFrameBytes}
 * @param maxUnauthenticated how many accepted connections whose dialler is not yet known may exist at once: so many on
 *     which nothing has come, and as many in their handshake, from the addresses of nodes that this node dials, and the
 *     same from all others; for one more, the oldest of its kind ends, of the address that has most of them; at least 1.
 *     Those whose dialler is known, one for each peer, do not count
 * @param handshakeTimeoutMillis how long an accepted connection may take until its dialler is known, and a dialled one for
 *     its TLS handshake, in milliseconds; at least 1
 * @param minRetryMillis the first pause before dialling again, in milliseconds; at least 1
 * @param maxRetryMillis the longest pause before dialling again, in milliseconds; at least {@code minRetryMillis}
 * @param idleMillis a dialler that has heard nothing for so long sends an empty frame, which is answered; after three
 *     times this silence either side closes; in milliseconds, at least 10
 */
public record LinkLimits(
        int maxFrameBytes,
        long maxQueuedBytes,
        int maxUnauthenticated,
        int handshakeTimeoutMillis,
        int minRetryMillis,
        int maxRetryMillis,
        int idleMillis) {
    public LinkLimits {
        check("maxFrameBytes", maxFrameBytes, 1, 1 << 30);
        check("maxQueuedBytes", maxQueuedBytes, maxFrameBytes, Long.MAX_VALUE);
        check("maxUnauthenticated", maxUnauthenticated, 1, 1 << 20);
        check("handshakeTimeoutMillis", handshakeTimeoutMillis, 1, Integer.MAX_VALUE);
        check("minRetryMillis", minRetryMillis, 1, Integer.MAX_VALUE / 2);
        check("maxRetryMillis", maxRetryMillis, minRetryMillis, Integer.MAX_VALUE / 2);
        check("idleMillis", idleMillis, 10, Integer.MAX_VALUE / 3);
    }

    /**
     * Frames to 8 MiB, 64 MiB waiting per peer, four times 64 connections that are not authenticated, 5 s handshakes, retries
     * after 0.1 to 3 s, 5 s idle.
     */
    public static LinkLimits defaults() {
        return new LinkLimits(8 << 20, 64L << 20, 64, 5_000, 100, 3_000, 5_000);
    }

    private static void check(String key, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

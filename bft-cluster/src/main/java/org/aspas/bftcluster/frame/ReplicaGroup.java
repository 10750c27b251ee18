package org.aspas.bftcluster.frame;

import java.security.PublicKey;
import java.util.List;

/**
 * What the checks know about the cluster.
 *
 * @param b how many replicas may be Byzantine; n is the number of keys
 * @param keys each replica's RSA key, by index
 * @param maxFrameBytes the longest frame without its code, 1024 to 2^30
 * @param maxBatch the most requests that one instance orders
 * @param maxRequestBytes the longest request, with what the library puts around its command
 */
public record ReplicaGroup(int b, List<PublicKey> keys, int maxFrameBytes, int maxBatch, int maxRequestBytes) {
    /** So many requests of one replica may wait in another, and travel in one message when the leader is lost. */
    public static final int MOST_WAITING = 4096;

    public ReplicaGroup {
        keys = List.copyOf(keys);
        if (b < 0 || keys.size() < 3 * b + 1 || maxFrameBytes < 1024 || maxBatch < 1 || maxRequestBytes < 1) {
            throw new IllegalArgumentException("b = " + b + ", n = " + keys.size() + ", maxFrameBytes = "
                    + maxFrameBytes + ", maxBatch = " + maxBatch + ", maxRequestBytes = " + maxRequestBytes);
        }
    }

    public int n() {
        return keys.size();
    }

    /** The most requests that travel in one message when the leader is lost. */
    public int maxRelayed() {
        return n() * MOST_WAITING;
    }

    boolean contains(int replica) {
        return replica >= 0 && replica < keys.size();
    }
}

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
 */
public record Membership(int b, List<PublicKey> keys, int maxFrameBytes, int maxBatch) {
    /** Checks the ranges. */
    public Membership {
        keys = List.copyOf(keys);
        if (b < 0 || keys.size() < 3 * b + 1 || maxFrameBytes < 1024 || maxBatch < 1) {
            throw new IllegalArgumentException("b = " + b + ", n = " + keys.size() + ", maxFrameBytes = "
                    + maxFrameBytes + ", maxBatch = " + maxBatch);
        }
    }

    /** The number of replicas. */
    public int n() {
        return keys.size();
    }

    /** Whether an index is a replica's. */
    boolean contains(int replica) {
        return replica >= 0 && replica < keys.size();
    }
}

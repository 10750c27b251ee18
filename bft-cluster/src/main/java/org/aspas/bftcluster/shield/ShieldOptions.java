package org.aspas.bftcluster.shield;

/**
 * The bounds of a shield.
 *
 * @param maxFrameBytes the longest frame of the library, in bytes; 1024 to 2^30. The link must carry one byte more
 * @param maxQueuedBytes how much may wait for the local library per peer, in bytes; at least {@code maxFrameBytes}
 * @param maxCommandBytes the largest command, in bytes; at least 1
 * @param maxPending how many commands of this bftserver may be on their way; at least 1
 * @param timeoutMillis after this long a command that was not ordered fails, in milliseconds; at least 100
 */
public record ShieldOptions(
        int maxFrameBytes, long maxQueuedBytes, int maxCommandBytes, int maxPending, int timeoutMillis) {
    /** Checks the ranges. */
    public ShieldOptions {
        check("maxFrameBytes", maxFrameBytes, 1024, 1 << 30);
        check("maxQueuedBytes", maxQueuedBytes, maxFrameBytes, Long.MAX_VALUE);
        check("maxCommandBytes", maxCommandBytes, 1, maxFrameBytes);
        check("maxPending", maxPending, 1, 1 << 20);
        check("timeoutMillis", timeoutMillis, 100, 3_600_000);
    }

    /**
     * For links that carry frames of this size: commands of which a whole batch fits into one frame, 1024 of them, 15 s.
     *
     * @param linkFrameBytes the longest frame of the links, in bytes
     * @param maxBatch the most commands that one instance orders
     */
    public static ShieldOptions within(int linkFrameBytes, int maxBatch) {
        int frame = linkFrameBytes - 64;
        return new ShieldOptions(frame, Math.max(32L << 20, 2L * frame), frame / maxBatch - 64, 1024, 15_000);
    }

    /**
     * How much of one bftserver's requests may wait in a replica, in bytes: when the leader is lost, all that wait travel
     * in one frame.
     *
     * @param replicas how many bftservers there are
     */
    long waitingBytes(int replicas) {
        return maxFrameBytes / (2L * replicas);
    }

    /** How much of that may be commands that others gave to the bftserver, in bytes. */
    public long relayedBytes(int replicas) {
        return waitingBytes(replicas) / 2;
    }

    private static void check(String key, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

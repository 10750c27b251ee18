package org.aspas.bftcluster.isolation;

/**
 * The bounds of an isolation layer.
 *
 * @param maxFrameBytes the longest frame of the library, in bytes; 1024 to 2^30. The link must carry one byte more
 * @param maxQueuedBytes how much may wait for the local library per peer, in bytes; at least {@code maxFrameBytes}
 * @param maxCommandBytes the largest command, in bytes; at least 1
 * @param maxPending how many commands of this bftserver may be on their way; at least 1
 * @param timeoutMillis after this long a command that was not ordered fails, in milliseconds; at least 100
 */
public record IsolationOptions(
        int maxFrameBytes, long maxQueuedBytes, int maxCommandBytes, int maxPending, int timeoutMillis) {
    public IsolationOptions {
        check("maxFrameBytes", maxFrameBytes, 1024, 1 << 30);
        check("maxQueuedBytes", maxQueuedBytes, maxFrameBytes, Long.MAX_VALUE);
        check("maxCommandBytes", maxCommandBytes, 1, maxFrameBytes);
        check("maxPending", maxPending, 1, 1 << 20);
        check("timeoutMillis", timeoutMillis, 100, 3_600_000);
    }

    /** What a request has beside its command, at most, in bytes. */
    static final int REQUEST_BYTES = 64;

    private static final int ENVELOPE_BYTES = 64;

    /**
     * For links that carry frames of this size: 1024 commands at once, 15 s.
     *
     * @param linkFrameBytes the longest frame of the links, in bytes; at least {@link #leastLinkFrameBytes}
     */
    public static IsolationOptions within(int linkFrameBytes, int maxCommandBytes) {
        int frame = linkFrameBytes - ENVELOPE_BYTES;
        return new IsolationOptions(frame, Math.max(32L << 20, 2L * frame), maxCommandBytes, 1024, 15_000);
    }

    /**
     * The shortest frame of the links with which a command of this size can be ordered, also for others (half of what may
     * wait), in bytes.
     */
    public static long leastLinkFrameBytes(int maxCommandBytes, int replicas) {
        return 4L * replicas * (maxCommandBytes + REQUEST_BYTES) + ENVELOPE_BYTES;
    }

    /**
     * How much of one bftserver's requests may wait in a replica, in bytes. When the leader is lost, all that wait travel
     * in one frame; so a batch of whatever waits fits into one too.
     */
    long waitingBytes(int replicas) {
        return maxFrameBytes / (2L * replicas);
    }

    /** The longest request: a command with what the library puts around it, in bytes. */
    int maxRequestBytes() {
        return maxCommandBytes + REQUEST_BYTES;
    }

    /**
     * Checks the size of a command.
     *
     * @throws IllegalArgumentException when it is too large
     */
    void checkCommand(byte[] command) {
        if (command.length > maxCommandBytes) {
            throw new IllegalArgumentException(
                    "a command has at most " + maxCommandBytes + " bytes, not " + command.length);
        }
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

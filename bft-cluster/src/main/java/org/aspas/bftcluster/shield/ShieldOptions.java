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

    /** Frames to 8 MiB less a little, 32 MiB waiting, commands to 4 MiB, 1024 of them, 15 s. */
    public static ShieldOptions defaults() {
        return new ShieldOptions((8 << 20) - 64, 32L << 20, 4 << 20, 1024, 15_000);
    }

    private static void check(String key, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

package org.aspas.bftcluster.proxy;

/**
 * The bounds of an ordering proxy.
 *
 * @param maxPending how many commands may wait for their answers at once; at least 1
 * @param timeoutMillis after this long without enough equal answers a command fails, in milliseconds; at least 100, and
 *     sensibly longer than a change of leader takes
 * @param maxMessageBytes the largest command and the largest answer, in bytes; 1 to 2^30
 * @param probeMillis how often an unreachable replica is tried again, in milliseconds; at least 10
 */
public record ProxyOptions(int maxPending, int timeoutMillis, int maxMessageBytes, int probeMillis) {
    public ProxyOptions {
        check("maxPending", maxPending, 1, 1 << 20);
        check("timeoutMillis", timeoutMillis, 100, 3_600_000);
        check("maxMessageBytes", maxMessageBytes, 1, 1 << 30);
        check("probeMillis", probeMillis, 10, 3_600_000);
    }

    /** 1024 commands, 15 s, 8 MiB, a probe each second. */
    public static ProxyOptions defaults() {
        return new ProxyOptions(1024, 15_000, 8 << 20, 1_000);
    }

    private static void check(String key, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

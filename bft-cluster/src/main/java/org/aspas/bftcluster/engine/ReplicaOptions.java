package org.aspas.bftcluster.engine;

/**
 * What can be chosen about a replica.
 *
 * @param requestTimeoutMillis how long a request may wait before the replicas suspect their leader, in milliseconds;
 *     500 to 60,000
 * @param maxBatch the most commands that one consensus instance orders; 1 to 1000
 * @param checkpointPeriod a snapshot is taken every so many consensus instances; 2 to 500
 */
public record ReplicaOptions(int requestTimeoutMillis, int maxBatch, int checkpointPeriod) {
    public ReplicaOptions {
        check("requestTimeoutMillis", requestTimeoutMillis, 500, 60_000);
        check("maxBatch", maxBatch, 1, 1000);
        check("checkpointPeriod", checkpointPeriod, 2, 500);
    }

    /** Leaders suspected after 3 s, 100 commands at once, a snapshot every 50 instances. */
    public static ReplicaOptions defaults() {
        return new ReplicaOptions(3_000, 100, 50);
    }

    private static void check(String key, int value, int low, int high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(key + " = " + value + " is not in " + low + ".." + high);
        }
    }
}

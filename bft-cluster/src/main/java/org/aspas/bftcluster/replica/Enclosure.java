package org.aspas.bftcluster.replica;

/**
 * What a replica has instead of ports of its own.
 *
 * @param door where the library accepts the other replicas' connections
 * @param executions told of every request that this replica has executed in order
 */
public record Enclosure(Door door, Executions executions) {
    /** Told of executed requests, on the library's delivery thread; must not block. */
    @FunctionalInterface
    public interface Executions {
        /** A request has been executed with this answer. */
        void executed(int client, int session, int sequence, byte[] answer);
    }
}

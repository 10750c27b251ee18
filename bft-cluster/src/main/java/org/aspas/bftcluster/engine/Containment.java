package org.aspas.bftcluster.engine;

/**
 * What a replica has instead of ports of its own.
 *
 * @param serverSocket where the library accepts the other replicas' connections
 * @param executions told of every request that this replica has executed in order
 */
public record Containment(InMemoryServerSocket serverSocket, Executions executions, Bounds bounds) {
    /**
     * What other replicas take.
     *
     * @param maxFrameBytes the longest frame, in bytes
     * @param maxRelayed the most requests in a STOP
     */
    public record Bounds(int maxFrameBytes, int maxRelayed) {}

    /** Told of executed requests, on the library's delivery thread; must not block. */
    @FunctionalInterface
    public interface Executions {
        void executed(int client, int session, int sequence, byte[] command, byte[] answer);
    }
}

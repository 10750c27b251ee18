package org.aspas.client.net;

/**
 * The delay of frames between a client and one appserver, for experiments that emulate distance on one machine. The client delays both
 * directions, because an appserver does not know how far away its clients are. Thread-safe.
 */
public interface TransportDelay {
    /** Returns the delays of the client's frames on a new connection. */
    Way toServer();

    /** Returns the delays of the server's frames on a new connection. */
    Way toClient();

    /**
     * One direction of one connection. Called by one thread at a time; no method blocks. Times are those of {@link System#nanoTime}.
     */
    interface Way {
        /**
         * Returns when a frame arrives. Called once for each frame, in the order of sending.
         *
         * @param sent when the frame was sent, or when it was received if it is delayed on its way to the client
         */
        long due(long sent, int bytes);

        /** Returns a time not after {@code now} if frames pass now; otherwise the time to ask again. */
        long open(long now);

        /**
         * Notes that a frame was passed on.
         *
         * @param sent when it was sent or received
         * @param due when it was due; later than {@link #due} said if the direction was not open then
         * @param now the current time, at or after {@code due}
         */
        void left(long sent, long due, long now);

        /** Runs a short task at a time or soon after it, on any thread; at most one task waits at a time. */
        void wake(long moment, Runnable task);
    }
}

package org.aspas.client.transport;

/**
 * How long frames take between a client and one appserver, for experiments that emulate distance on one machine. The client
 * delays both directions, because an appserver does not know how far its clients are. Thread-safe.
 */
public interface TransportDelay {
    /** The way of the client's frames on a new connection. */
    Way toServer();

    /** The way of the server's frames on a new connection. */
    Way toClient();

    /**
     * One direction of one connection. Called by one thread at a time; nothing here waits. Moments are those of {@link
     * System#nanoTime}.
     */
    interface Way {
        /**
         * When a frame has travelled. Asked once for each frame, in the order of sending.
         *
         * @param sent when the frame was sent, or received if it is delayed on its way to the client
         */
        long due(long sent, int bytes);

        /** A moment not after {@code now} if frames pass now; else when to ask again. */
        long open(long now);

        /**
         * A frame is handed on.
         *
         * @param sent when it was sent or received
         * @param due when it was to be handed on; later than the way said if the way was not open then
         * @param now the present moment, from {@code due} on
         */
        void left(long sent, long due, long now);

        /** Runs a task at a moment or soon after it, on any thread; at most one waits at a time. The task is short. */
        void wake(long moment, Runnable task);
    }
}

package org.aspas.bftcluster.link;

import org.aspas.certify.identity.NodeId;

/**
 * How long frames take to each peer, for experiments that emulate distance on one machine. A node delays what it sends, and
 * nothing else: a frame is delayed once when every node has a delay of its own. Thread-safe.
 */
public interface LinkDelay {
    /** The way to a peer on a new connection. A node also asks for one to hear whether a peer that dialled it is cut off. */
    Way to(NodeId peer);

    /**
     * One direction of one connection. Called by one thread at a time; nothing here waits. Moments are those of {@link
     * System#nanoTime}.
     */
    interface Way {
        /**
         * When a frame has travelled. Asked once for each frame, in the order of sending.
         *
         * @param sent when the frame was given to be sent
         */
        long due(long sent, int bytes);

        /** A moment not after {@code now} if frames pass now; else when to ask again. */
        long open(long now);

        /**
         * A frame is handed to the network.
         *
         * @param sent when it was given to be sent
         * @param due when it was to be handed on; later than the way said if the way was not open then
         * @param now the present moment, from {@code due} on
         */
        void left(long sent, long due, long now);

        /** Runs a task at a moment or soon after it, on any thread; at most one waits at a time. The task is short. */
        void wake(long moment, Runnable task);
    }
}

package org.aspas.client.transport;

/** A way to reach one appserver. Thread-safe; each call of {@link #connect} makes a connection of its own. */
public interface Transport {
    /**
     * Starts to connect and returns at once.
     *
     * @param listener hears of this connection alone, one call at a time: {@code connected} at most once, then {@code
     *     received} any number of times; {@code closed} exactly once and last
     * @return the connection, on which nothing may be sent before {@code connected}
     */
    Connection connect(Listener listener);

    /** One connection. Thread-safe. */
    interface Connection {
        /**
         * Queues a frame; frames arrive in the order of the calls. When the queue is full the connection is closed. Has no
         * effect on a closed connection.
         */
        void send(byte[] frame);

        /** Closes the connection; has no effect the second time. */
        void close();
    }

    /**
     * Hears what happens on one connection. Its methods throw nothing; {@code received} may take as long as the handling of a
     * frame does, with a signature or two to verify, and the others return at once.
     */
    interface Listener {
        /** Frames can be sent from now on. */
        void connected();

        /**
         * A frame came.
         *
         * @param frame its bytes, which the listener may keep
         * @param consumed to be run once the frame is dealt with; only a bounded number of frames is delivered ahead
         */
        void received(byte[] frame, Runnable consumed);

        /**
         * The connection is gone or never came about.
         *
         * @param reason one sentence for people
         */
        void closed(String reason);
    }
}

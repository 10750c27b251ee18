package org.aspas.client.net;

/** A way to reach one appserver. Thread-safe; each call of {@link #connect} makes a connection of its own. */
public interface Transport {
    /**
     * Starts to connect and returns at once.
     *
     * @param listener is called for this connection only, one call at a time: {@code connected} at most once, then {@code received} any
     *     number of times; {@code closed} exactly once and last
     * @return the connection, on which nothing may be sent before {@code connected}
     */
    Connection connect(Listener listener);

    /** One connection. Thread-safe. */
    interface Connection {
        /**
         * Queues a frame; frames arrive in the order of the calls. A full queue closes the connection. Does nothing on a closed
         * connection.
         */
        void send(byte[] frame);

        /** Closes the connection; does nothing the second time. */
        void close();
    }

    /**
     * Receives the events of one connection. Its methods throw nothing. {@code received} may take as long as handling a frame takes,
     * including the verification of a signature or two; the others return at once.
     */
    interface Listener {
        /** Frames can be sent from now on. */
        void connected();

        /**
         * A frame arrived.
         *
         * @param frame its bytes, which the listener may keep
         * @param consumed to be run once the frame has been handled; only a bounded number of frames is delivered ahead
         */
        void received(byte[] frame, Runnable consumed);

        /**
         * The connection was lost or could not be established.
         *
         * @param reason one sentence for people
         */
        void closed(String reason);
    }
}

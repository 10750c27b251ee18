package org.aspas.appserver.net;

/** The way of one connection's messages to its client. Thread-safe; nothing here waits. */
public interface Outbound {
    /**
     * Queues a message.
     *
     * @param message its bytes, not to be changed
     * @return whether there was room for it, or the connection is gone
     */
    boolean offer(byte[] message);

    /** Ends the connection after what is queued; nothing happens when it is gone. */
    void complete();

    /** Ends the connection at once, without what is queued; nothing happens when it is gone. */
    void fail();
}

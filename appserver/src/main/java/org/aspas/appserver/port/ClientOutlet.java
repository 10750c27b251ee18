package org.aspas.appserver.port;

import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;

/** The way to one connected client. Thread-safe; never blocks and never throws. */
public interface ClientOutlet {
    /** Queues a message. A client that does not read loses its connection when its queue is full. */
    void send(Message message);

    /** Queues a signed message, as {@link #send(Message)} does. */
    void send(Signed<? extends Message> message);

    /** Ends the connection after what is queued. */
    void close();
}

package org.aspas.appserver.port;

import java.util.concurrent.CompletionStage;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.certify.wire.Frame;

/** What clients' connections need of the server behind them. Thread-safe. */
public interface ClientPort {
    /**
     * A client has connected; the server may send to the outlet from now on.
     *
     * @return the connection, never given twice
     */
    ConnectionId open(ClientOutlet outlet);

    /**
     * A frame has come from a client; frames of one connection are taken in the order of the calls.
     *
     * @return done when the frame has been handled, so that a caller can bound how many wait; fails when the server is
     *     shutting down
     */
    CompletionStage<?> receive(ConnectionId connection, Frame frame);

    /** The client is gone. Nothing is sent to its outlet afterwards that matters. */
    void close(ConnectionId connection);

    CompletionStage<CoreStatus> status();
}

package org.aspas.appserver.conversation;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.aspas.appserver.core.port.ClientAdmission;
import org.aspas.appserver.port.ClientPort;

/** All conversations of a server, whatever carries them, within the bounds that they share. Thread-safe. */
public final class Conversations {
    private final ClientPort port;
    private final ClientAdmission admission;
    private final ConversationLimits limits;
    private final ConversationCounters counters = new ConversationCounters();
    private final OutgoingBytes outgoing;
    private final IncomingBytes incoming;

    /**
     * Nobody is here.
     *
     * @param port the server behind the door
     * @param admission says what clients may send
     * @param limits the bounds
     * @param executor goes on with what had to wait for room
     */
    public Conversations(ClientPort port, ClientAdmission admission, ConversationLimits limits, Executor executor) {
        this.port = port;
        this.admission = admission;
        this.limits = limits;
        this.outgoing = new OutgoingBytes(limits.clientQueueBytes(), limits.allQueueBytes());
        this.incoming = new IncomingBytes(limits.allFrameBytes(), executor);
    }

    /** The conversation of a new connection. */
    public Conversation open() {
        return new Conversation(port, admission, counters, limits.maxAnswerBytes(), outgoing);
    }

    /**
     * Takes room for a frame that is to be handled; {@link #free} gives it back.
     *
     * @return done when there is room, at once if there is now
     */
    public CompletionStage<?> room(int bytes) {
        return incoming.take(bytes);
    }

    /** Gives room back. */
    public void free(int bytes) {
        incoming.free(bytes);
    }

    /** Counts a connection that ended in its TLS handshake, and never came to be one of these. */
    public void handshakeFailed() {
        counters.handshakesFailed.increment();
    }

    /** The bounds. */
    public ConversationLimits limits() {
        return limits;
    }

    /** What has happened so far. */
    public ConversationCounts counts() {
        return counters.read();
    }
}

package org.aspas.appserver.net;

import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.appserver.port.ClientPort;
import org.aspas.appserver.trace.AppServerSpans;
import org.jspecify.annotations.Nullable;

/** All conversations of a server, whatever carries them, within the bounds that they share. Thread-safe. */
public final class Conversations {
    private final ClientPort port;
    private final ClientAdmission admission;
    private final ConversationLimits limits;
    private final ConversationCounters counters = new ConversationCounters();
    private final OutgoingBytes outgoing;
    private final IncomingBytes incoming;
    private final Turns turns;
    private final @Nullable AppServerSpans spans;

    /** No conversations yet; {@code spans} is null without tracing. */
    public Conversations(
            ClientPort port, ClientAdmission admission, ConversationLimits limits, @Nullable AppServerSpans spans) {
        this.port = port;
        this.admission = admission;
        this.limits = limits;
        this.outgoing = new OutgoingBytes(limits.clientQueueBytes(), limits.allQueueBytes());
        this.incoming = new IncomingBytes(limits.allFrameBytes());
        this.turns = new Turns(limits.framesInFlight());
        this.spans = spans;
    }

    public Conversation open() {
        return new Conversation(
                port,
                admission,
                counters,
                limits.maxAnswerBytes(),
                outgoing,
                incoming,
                turns.open(),
                spans == null ? null : new SessionSpans(spans));
    }

    /** Counts a connection that ended in its TLS handshake, and never came to be one of these. */
    public void handshakeFailed() {
        counters.handshakesFailed.increment();
    }

    public ConversationLimits limits() {
        return limits;
    }

    public ConversationCounts counts() {
        return counters.read();
    }
}

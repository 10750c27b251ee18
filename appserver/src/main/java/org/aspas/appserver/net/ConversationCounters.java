package org.aspas.appserver.net;

import java.util.concurrent.atomic.LongAdder;

/** Counts what clients do in conversations. Thread-safe. */
final class ConversationCounters {
    final LongAdder sessionsOpened = new LongAdder();
    final LongAdder sessionsClosed = new LongAdder();
    final LongAdder framesReceived = new LongAdder();
    final LongAdder malformedFrames = new LongAdder();
    final LongAdder oversizedFrames = new LongAdder();
    final LongAdder textFrames = new LongAdder();
    final LongAdder badSignatures = new LongAdder();
    final LongAdder slowClients = new LongAdder();
    final LongAdder strangersEnded = new LongAdder();
    final LongAdder handshakesFailed = new LongAdder();

    ConversationCounts read() {
        return new ConversationCounts(
                sessionsOpened.sum(),
                sessionsClosed.sum(),
                framesReceived.sum(),
                malformedFrames.sum(),
                oversizedFrames.sum(),
                textFrames.sum(),
                badSignatures.sum(),
                slowClients.sum(),
                strangersEnded.sum(),
                handshakesFailed.sum());
    }
}

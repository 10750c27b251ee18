package org.aspas.appserver.http;

import java.util.concurrent.atomic.LongAdder;
import org.aspas.appserver.net.ConversationCounts;

/** Counts what clients do at this server's listeners. Thread-safe. */
final class HttpCounters {
    final LongAdder connectionsEnded = new LongAdder();
    final LongAdder handshakesFailed = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder problems = new LongAdder();
    final LongAdder unreadableRequests = new LongAdder();
    final LongAdder streamsOpened = new LongAdder();
    final LongAdder streamsClosed = new LongAdder();
    final LongAdder eventsDropped = new LongAdder();

    HttpCounts read(ConversationCounts conversations) {
        return new HttpCounts(
                conversations.sessionsOpened(),
                conversations.sessionsClosed(),
                conversations.framesReceived(),
                conversations.malformedFrames(),
                conversations.oversizedFrames(),
                conversations.textFrames(),
                conversations.badSignatures(),
                conversations.slowClients(),
                conversations.strangersEnded(),
                connectionsEnded.sum(),
                conversations.handshakesFailed() + handshakesFailed.sum(),
                requests.sum(),
                problems.sum(),
                unreadableRequests.sum(),
                streamsOpened.sum(),
                streamsClosed.sum(),
                eventsDropped.sum());
    }
}

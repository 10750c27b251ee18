package org.aspas.appserver.http;

import java.util.concurrent.atomic.LongAdder;

/** Counts what clients do at this server's door. Thread-safe. */
final class HttpCounters {
    final LongAdder sessionsOpened = new LongAdder();
    final LongAdder sessionsClosed = new LongAdder();
    final LongAdder framesReceived = new LongAdder();
    final LongAdder malformedFrames = new LongAdder();
    final LongAdder oversizedFrames = new LongAdder();
    final LongAdder textFrames = new LongAdder();
    final LongAdder badSignatures = new LongAdder();
    final LongAdder slowClients = new LongAdder();
    final LongAdder strangersEnded = new LongAdder();
    final LongAdder connectionsEnded = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder problems = new LongAdder();
    final LongAdder unreadableRequests = new LongAdder();

    /** The counts now. */
    HttpCounts read() {
        return new HttpCounts(
                sessionsOpened.sum(),
                sessionsClosed.sum(),
                framesReceived.sum(),
                malformedFrames.sum(),
                oversizedFrames.sum(),
                textFrames.sum(),
                badSignatures.sum(),
                slowClients.sum(),
                strangersEnded.sum(),
                connectionsEnded.sum(),
                requests.sum(),
                problems.sum(),
                unreadableRequests.sum());
    }
}

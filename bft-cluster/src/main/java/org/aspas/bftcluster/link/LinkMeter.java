package org.aspas.bftcluster.link;

import java.util.concurrent.atomic.LongAdder;

/** The counters while they count. Thread-safe. */
final class LinkMeter {
    final LongAdder framesIn = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder framesOut = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LongAdder sendsRefused = new LongAdder();
    final LongAdder handshakesRejected = new LongAdder();
    final LongAdder dialsFailed = new LongAdder();
    final LongAdder oversizedFrames = new LongAdder();
    final LongAdder connectionsRefused = new LongAdder();

    LinkCounters read() {
        return new LinkCounters(
                framesIn.sum(),
                bytesIn.sum(),
                framesOut.sum(),
                bytesOut.sum(),
                sendsRefused.sum(),
                handshakesRejected.sum(),
                dialsFailed.sum(),
                oversizedFrames.sum(),
                connectionsRefused.sum());
    }
}

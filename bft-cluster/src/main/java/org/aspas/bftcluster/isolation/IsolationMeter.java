package org.aspas.bftcluster.isolation;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.bftcluster.frame.RefusalReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters while they count. Thread-safe. */
final class IsolationMeter {
    private static final Logger LOG = LoggerFactory.getLogger(IsolationMeter.class);

    final LongAdder framesIn = new LongAdder();
    final LongAdder framesOut = new LongAdder();
    final LongAdder framesLost = new LongAdder();
    final LongAdder requestsIn = new LongAdder();
    final LongAdder framesTooLong = new LongAdder();
    final LongAdder requestsRefused = new LongAdder();
    final LongAdder requestsOutOfTurn = new LongAdder();
    final LongAdder requestsDiscarded = new LongAdder();
    final LongAdder handshakesRefused = new LongAdder();
    private final int self;
    private final Map<RefusalReason, LongAdder> refused = new EnumMap<>(RefusalReason.class);
    private long reported;

    IsolationMeter(int self) {
        this.self = self;
        for (RefusalReason reason : RefusalReason.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    void refuse(RefusalReason reason) {
        refused.getOrDefault(reason, new LongAdder()).increment();
    }

    /** Tells the operator when something was refused, lost or discarded since the last time. */
    synchronized void report() {
        IsolationCounters counters = read();
        long troubles = counters.troubles();
        if (troubles > reported) {
            LOG.warn(
                    "the isolation layer of replica {}: {} new refusals or losses; in all {}",
                    self,
                    troubles - reported,
                    counters);
        }
        reported = troubles;
    }

    IsolationCounters read() {
        Map<RefusalReason, Long> sums = new EnumMap<>(RefusalReason.class);
        refused.forEach((reason, count) -> sums.put(reason, count.sum()));
        return new IsolationCounters(
                framesIn.sum(),
                framesOut.sum(),
                framesLost.sum(),
                framesTooLong.sum(),
                requestsIn.sum(),
                requestsRefused.sum(),
                requestsOutOfTurn.sum(),
                requestsDiscarded.sum(),
                handshakesRefused.sum(),
                sums);
    }
}

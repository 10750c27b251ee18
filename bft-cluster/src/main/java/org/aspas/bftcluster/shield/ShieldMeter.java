package org.aspas.bftcluster.shield;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.aspas.bftcluster.frame.Refusal;

/** The counters while they count. Thread-safe. */
final class ShieldMeter {
    final LongAdder framesIn = new LongAdder();
    final LongAdder framesOut = new LongAdder();
    final LongAdder framesLost = new LongAdder();
    final LongAdder requestsIn = new LongAdder();
    final LongAdder framesTooLong = new LongAdder();
    final LongAdder requestsRefused = new LongAdder();
    final LongAdder requestsOutOfTurn = new LongAdder();
    final LongAdder requestsDiscarded = new LongAdder();
    final LongAdder greetingsRefused = new LongAdder();
    private final Map<Refusal, LongAdder> refused = new EnumMap<>(Refusal.class);

    ShieldMeter() {
        for (Refusal reason : Refusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    void refuse(Refusal reason) {
        refused.getOrDefault(reason, new LongAdder()).increment();
    }

    ShieldCounters read() {
        Map<Refusal, Long> sums = new EnumMap<>(Refusal.class);
        refused.forEach((reason, count) -> sums.put(reason, count.sum()));
        return new ShieldCounters(
                framesIn.sum(),
                framesOut.sum(),
                framesLost.sum(),
                framesTooLong.sum(),
                requestsIn.sum(),
                requestsRefused.sum(),
                requestsOutOfTurn.sum(),
                requestsDiscarded.sum(),
                greetingsRefused.sum(),
                sums);
    }
}

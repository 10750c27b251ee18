package org.aspas.appserver.core.certification;

import java.util.Map;
import org.aspas.appserver.core.broadcast.Logs;
import org.aspas.appserver.core.step.CoreTime;

/** How far certification lags behind what is delivered, and for how long. For one thread. */
final class CertificationLag {
    private final CoreTime time;
    private final Logs logs;
    private final CertifiedHistory history;
    private final WaitingTimes ownWaiting = new WaitingTimes();
    private long adoptedAt;
    /** The last moment at which nothing waited, or a certificate came. */
    private long onTimeAt;

    private boolean ticked;

    CertificationLag(CoreTime time, Logs logs, CertifiedHistory history) {
        this.time = time;
        this.logs = logs;
        this.history = history;
    }

    void tick() {
        ownWaiting.seen(logs.own().size(), time.now());
        ownWaiting.certified(history.certified().get(logs.index()));
        if (!ticked) {
            // What was adopted before there was a time counts from now on.
            ticked = true;
            adopted();
        }
        if (uncertified() == 0) {
            onTimeAt = time.now();
        }
    }

    private long uncertified() {
        return logs.version().sum() - history.certified().sum();
    }

    void adopted() {
        adoptedAt = time.now();
        onTimeAt = time.now();
    }

    void measure(Map<String, Long> gauges) {
        gauges.put("uncertified_entries", uncertified());
        gauges.put("certificate_overdue_millis", uncertified() == 0 ? 0 : time.now() - onTimeAt);
        gauges.put(
                "uncertified_own_entries",
                logs.own().size() - history.certified().get(logs.index()));
        gauges.put("oldest_uncertified_own_millis", ownWaiting.oldestMillis(time.now()));
        if (history.newest().isPresent()) {
            gauges.put("certificate_age_millis", time.now() - adoptedAt);
        }
    }
}

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
    private boolean ticked;

    CertificationLag(CoreTime time, Logs logs, CertifiedHistory history) {
        this.time = time;
        this.logs = logs;
        this.history = history;
    }

    /** Time has passed. */
    void tick() {
        ownWaiting.seen(logs.own().size(), time.now());
        ownWaiting.certified(history.certified().get(logs.index()));
        if (!ticked) {
            // What was adopted before there was a time counts from now on.
            ticked = true;
            adoptedAt = time.now();
        }
    }

    /** A certificate was adopted. */
    void adopted() {
        adoptedAt = time.now();
    }

    /** Adds what {@link org.aspas.appserver.core.port.CoreStatus#gauges} says of it. */
    void measure(Map<String, Long> gauges) {
        gauges.put(
                "uncertified_entries",
                logs.version().sum() - history.certified().sum());
        gauges.put(
                "uncertified_own_entries",
                logs.own().size() - history.certified().get(logs.index()));
        gauges.put("oldest_uncertified_own_millis", ownWaiting.oldestMillis(time.now()));
        if (history.newest().isPresent()) {
            gauges.put("certificate_age_millis", time.now() - adoptedAt);
        }
    }
}

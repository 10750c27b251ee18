package org.aspas.appserver.core.certification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.CoreTime;

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

    /**
     * Since when a growing log has waited for its certification: marks of the log's size with the time at which that size was
     * first seen. Bounded: of too many marks every second one is merged into the one before, which can only make entries look
     * older than they are. Times are those of ticks, so an age is short by at most one tick. For one thread.
     */
    static final class WaitingTimes {
        private static final int MAX_MARKS = 4096;

        /** Entries up to this number, and after the mark before, were first seen at this time. */
        private record Mark(long size, long seenAt) {}

        private final Deque<Mark> marks = new ArrayDeque<>();
        private long size;

        void seen(long newSize, long nowMillis) {
            if (newSize > size) {
                size = newSize;
                marks.addLast(new Mark(newSize, nowMillis));
                if (marks.size() > MAX_MARKS) {
                    merge();
                }
            }
        }

        private void merge() {
            List<Mark> old = new ArrayList<>(marks);
            marks.clear();
            for (int at = 0; at < old.size(); at += 2) {
                Mark later = old.get(Math.min(at + 1, old.size() - 1));
                marks.addLast(new Mark(later.size(), old.get(at).seenAt()));
            }
        }

        void certified(long upTo) {
            while (!marks.isEmpty() && marks.getFirst().size() <= upTo) {
                marks.removeFirst();
            }
        }

        /** The age of the oldest entry that waits, in milliseconds; 0 when none waits. */
        long oldestMillis(long nowMillis) {
            return marks.isEmpty() ? 0 : nowMillis - marks.getFirst().seenAt();
        }
    }
}

package org.aspas.appserver.core.certification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Since when a growing log has waited for its certification: marks of the log's size with the time at which that size was
 * first seen. Bounded: of too many marks every second one is merged into the one before, which can only make entries look
 * older than they are. Times are those of ticks, so an age is short by at most one tick. For one thread.
 */
final class WaitingTimes {
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

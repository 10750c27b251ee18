package org.aspas.appserver.net;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the bytes that wait to be sent to clients, and cuts off those for which too many wait. Thread-safe. */
final class OutgoingBytes {
    private final long mostOfOne;
    private final long mostOfAll;
    private final Set<Line> lines = new LinkedHashSet<>();
    private long waiting;

    /** Bounds, in bytes, what may wait on one connection and on all of them together. */
    OutgoingBytes(long mostOfOne, long mostOfAll) {
        this.mostOfOne = mostOfOne;
        this.mostOfAll = mostOfAll;
    }

    /** A new connection; {@code cut} ends it at once, with all that waits. */
    Line open(Runnable cut) {
        Line line = new Line(cut);
        synchronized (this) {
            lines.add(line);
        }
        return line;
    }

    synchronized long waiting() {
        return waiting;
    }

    /** One connection. */
    final class Line {
        private final Runnable cut;
        private long bytes;

        private Line(Runnable cut) {
            this.cut = cut;
        }

        /** More bytes wait here: this connection may be cut by that, or the one for which most wait. */
        void add(int more) {
            Line excess = added(this, more);
            if (excess != null) {
                excess.close();
                excess.cut.run();
            }
        }

        void sent(int less) {
            synchronized (OutgoingBytes.this) {
                if (lines.contains(this)) {
                    bytes -= less;
                    waiting -= less;
                }
            }
        }

        /** The connection is gone, and what waited with it. */
        void close() {
            synchronized (OutgoingBytes.this) {
                if (lines.remove(this)) {
                    waiting -= bytes;
                }
            }
        }
    }

    private synchronized @Nullable Line added(Line line, int more) {
        if (!lines.contains(line)) {
            return null;
        }
        line.bytes += more;
        waiting += more;
        if (line.bytes > mostOfOne) {
            return line;
        }
        if (waiting <= mostOfAll) {
            return null;
        }
        Line largest = line;
        for (Line other : lines) {
            largest = other.bytes > largest.bytes ? other : largest;
        }
        return largest;
    }
}

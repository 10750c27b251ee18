package org.aspas.client.core;

/** What time it was at the last tick. */
final class Ticks {
    private long now;

    /** Milliseconds since the core was made. */
    long now() {
        return now;
    }

    void advance(long nowMillis) {
        now = Math.max(now, nowMillis);
    }
}

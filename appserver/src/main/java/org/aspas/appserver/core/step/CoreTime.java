package org.aspas.appserver.core.step;

/** The time that all parts of one core go by: that of the last tick. For one thread. */
public final class CoreTime {
    private long millis;

    /** The time of the last tick, in milliseconds from any origin, which may be negative; 0 before the first tick. */
    public long now() {
        return millis;
    }

    /** Time has passed. */
    public void tick(long nowMillis) {
        millis = nowMillis;
    }
}

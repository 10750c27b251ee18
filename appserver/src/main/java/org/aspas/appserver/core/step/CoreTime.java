package org.aspas.appserver.core.step;

/** The time that all parts of one core go by, that of the last tick, and how busy the machine was then. For one thread. */
public final class CoreTime {
    private static final int IDLE_PERCENT = 50;
    private static final int BUSY_PERCENT = 90;

    private long millis;
    private int loadPercent;

    /** The time of the last tick, in milliseconds from any origin, which may be negative; 0 before the first tick. */
    public long now() {
        return millis;
    }

    /**
     * Time has passed.
     *
     * @param nowMillis the time now
     * @param loadPercent how busy the machine's processors are, 0 to 100
     */
    public void tick(long nowMillis, int loadPercent) {
        this.millis = nowMillis;
        this.loadPercent = loadPercent;
    }

    /**
     * The pause between two pieces of work that follow the load: short while processors have nothing better to do, long when they
     * lack. In between it grows evenly.
     *
     * @param least the pause up to a load of {@value #IDLE_PERCENT} percent, in milliseconds
     * @param most the pause from a load of {@value #BUSY_PERCENT} percent on, at least {@code least}
     */
    public long pause(long least, long most) {
        long busy = Math.min(Math.max(loadPercent - IDLE_PERCENT, 0), BUSY_PERCENT - IDLE_PERCENT);
        return least + (most - least) * busy / (BUSY_PERCENT - IDLE_PERCENT);
    }
}

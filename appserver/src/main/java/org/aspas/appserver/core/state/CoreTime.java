package org.aspas.appserver.core.state;

/** The time that all parts of one core go by, that of the last tick, and how long events waited for it then. For one thread. */
public final class CoreTime {
    private static final int WHOLE = 100;

    private long millis;
    private long first;
    private boolean ticked;
    private int backlogPercent;

    /**
     * The time of the last tick, in milliseconds since the first one. What happens before the first tick, above all what a store
     * gives back, happens at 0, so that it is as old as the process whatever the origin of the shell's clock is.
     */
    public long now() {
        return millis;
    }

    /**
     * Sets the time.
     *
     * @param nowMillis the time now, of any origin
     * @param backlogPercent how long events wait for this core, from 0 for no time to 100
     */
    public void tick(long nowMillis, int backlogPercent) {
        if (!ticked) {
            ticked = true;
            first = nowMillis;
        }
        this.millis = nowMillis - first;
        this.backlogPercent = backlogPercent;
    }

    /**
     * The pause between two pieces of work that follow the load: short while nothing waits for this core, long when it lacks time. In
     * between it grows as the square of the backlog, so that it stays short at light loads.
     *
     * @param least the pause without a backlog, in milliseconds
     * @param most the pause with the largest one, at least {@code least}
     */
    public long pause(long least, long most) {
        return least + (most - least) * backlogPercent * backlogPercent / (WHOLE * WHOLE);
    }
}

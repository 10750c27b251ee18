package org.aspas.client.core;

/**
 * Whether the present server's answers of one kind are late. Lateness ends with a few prompt answers in a row, but not before as
 * much time has passed without a late one as the last one took: so prompt answers make up for no longer time than their own.
 * For one thread.
 */
public final class LateAnswers {
    /**
     * An answer that took so long is late, in milliseconds of the core's time: half a second, and a tick of a quarter more, for the
     * core's time stands still between ticks.
     */
    public static final long LATE_MILLIS = 750;
    /** How many prompt answers in a row end a late spell. */
    private static final int FEW = 4;

    private Lateness lateness = Lateness.UNKNOWN;
    private int promptInARow;

    public void answered(long now, long millis, boolean late) {
        if (late) {
            lateness = lateness.late(now, millis);
            promptInARow = 0;
            return;
        }
        promptInARow = Math.min(promptInARow + 1, FEW);
        if (promptInARow == FEW && now - lateness.lastAt() >= lateness.lastMillis()) {
            lateness = lateness.over();
        }
    }

    public void switched() {
        lateness = Lateness.UNKNOWN;
        promptInARow = 0;
    }

    public Lateness lateness() {
        return lateness;
    }
}

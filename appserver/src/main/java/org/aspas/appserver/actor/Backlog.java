package org.aspas.appserver.actor;

import java.util.concurrent.TimeUnit;

/**
 * How long events wait for a core. That grows when the core lacks processor time, whoever has it, and stays near nothing on a busy machine
 * that still has some for this core. For one thread.
 */
final class Backlog {
    /** A usual wait of this length counts as 100 percent. */
    private static final long FULL_NANOS = TimeUnit.MICROSECONDS.toNanos(1_500);

    private static final int WHOLE = 100;
    private static final int WEIGHT_BEFORE = 7;

    private long waited;
    private long events;
    private long usual;

    void waited(long nanos) {
        waited += Math.max(0, nanos);
        events++;
    }

    /** The usual wait of late, from 0 for none to 100; to be asked once in a while, each time of the same length. */
    int percent() {
        long mean = events == 0 ? 0 : waited / events;
        usual = (WEIGHT_BEFORE * usual + mean) / (WEIGHT_BEFORE + 1);
        waited = 0;
        events = 0;
        return (int) Math.min(WHOLE, WHOLE * usual / FULL_NANOS);
    }
}

package org.aspas.emulab.sim.engine;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** Virtual time in microseconds and what is due in it. Events of one moment happen in the order of their scheduling. */
public final class Timeline {
    /** Microseconds in a millisecond. */
    public static final long MILLI = 1_000;

    /** Microseconds in a second. */
    public static final long SECOND = 1_000_000;

    private record Due(long time, long order, Runnable action) implements Comparable<Due> {
        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Due> queue = new PriorityQueue<>();
    private long now;
    private long order;

    public long now() {
        return now;
    }

    /** How many events have been scheduled so far. */
    public long scheduled() {
        return order;
    }

    /** Lets something happen after a delay, which counts as 0 when negative. */
    public void after(long micros, Runnable action) {
        queue.add(new Due(now + Math.max(0, micros), order++, action));
    }

    /** Lets something happen now, and after each such time again, while a condition holds. */
    public void every(long micros, BooleanSupplier lasts, Runnable action) {
        action.run();
        after(micros, () -> {
            if (lasts.getAsBoolean()) {
                every(micros, lasts, action);
            }
        });
    }

    /** Lets something happen at a moment, or now when that moment is past. */
    public void at(long moment, Runnable action) {
        after(moment - now, action);
    }

    /**
     * Goes on to the next event that is due up to a moment, and lets it happen; else goes to that moment.
     *
     * @return whether there was an event
     */
    public boolean step(long until) {
        Due next = queue.peek();
        if (next == null || next.time() > until) {
            now = Math.max(now, until);
            return false;
        }
        queue.remove();
        now = next.time();
        next.action().run();
        return true;
    }
}

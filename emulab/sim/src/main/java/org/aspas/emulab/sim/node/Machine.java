package org.aspas.emulab.sim.node;

import java.util.ArrayDeque;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * A machine in virtual time: some processor cores, and one queue before them. Whoever is first in the queue gets the next
 * free core and keeps it until its task is done (first come, first served, without preemption).
 *
 * <p>Tasks belong to {@link Lane}s. A lane is what runs on one thread at a time: an actor, a mailbox, an I/O loop. Of its
 * tasks at most one has a core or waits for one; the others wait behind it.
 */
public final class Machine {
    private static final long NANOS = 1_000;

    /** A task, called when it gets a core. It says how long it keeps the core. */
    @FunctionalInterface
    public interface Task {
        /** Works; what others are to see of it comes with the result. */
        Done run();
    }

    /**
     * What a task did.
     *
     * @param nanos the processor time that it took, in nanoseconds, 0 or more
     * @param then what happens when that time is over: what the task sends leaves then
     */
    public record Done(long nanos, Runnable then) {}

    private final Timeline timeline;
    private final int cores;
    private final ArrayDeque<Lane> ready = new ArrayDeque<>();
    private int working;
    private int waiting;
    /** Less than a microsecond that past tasks took besides: so that short tasks are not rounded away. */
    private long remainder;

    private long since;
    private long busyNanos;
    private long waitedMicros;
    private long lastChange;
    private int mostWaiting;

    /**
     * An idle machine.
     *
     * @param cores how many tasks it runs at once, from 1
     */
    public Machine(Timeline timeline, int cores) {
        if (cores < 1) {
            throw new IllegalArgumentException("a machine has " + cores + " cores, below 1");
        }
        this.timeline = timeline;
        this.cores = cores;
    }

    public Lane lane() {
        return new Lane();
    }

    /** The tasks of one thread, in order. */
    public final class Lane {
        private final ArrayDeque<Task> tasks = new ArrayDeque<>();
        private boolean queued;

        private Lane() {}

        /** Adds a task behind those that the lane has. */
        public void add(Task task) {
            count(1);
            tasks.add(task);
            if (!queued) {
                queued = true;
                ready.add(this);
                next();
            }
        }
    }

    private void next() {
        while (working < cores && !ready.isEmpty()) {
            begin(ready.remove());
        }
    }

    private void begin(Lane lane) {
        count(-1);
        working++;
        Done done = lane.tasks.remove().run();
        busyNanos += done.nanos();
        remainder += done.nanos();
        long micros = remainder / NANOS;
        remainder %= NANOS;
        timeline.after(micros, () -> end(lane, done));
    }

    private void end(Lane lane, Done done) {
        working--;
        lane.queued = !lane.tasks.isEmpty();
        if (lane.queued) {
            ready.add(lane);
        }
        done.then().run();
        next();
    }

    private void count(int change) {
        waitedMicros += waiting * (timeline.now() - lastChange);
        lastChange = timeline.now();
        waiting += change;
        mostWaiting = Math.max(mostWaiting, waiting);
    }

    /** Forgets what it counted: what {@link #usage} says is of the time from now on. */
    public void countAnew() {
        count(0);
        since = timeline.now();
        busyNanos = 0;
        waitedMicros = 0;
        mostWaiting = waiting;
    }

    /** How busy it was since it began to count. */
    public Usage usage() {
        count(0);
        double micros = Math.max(1, timeline.now() - since);
        return new Usage(cores, busyNanos / NANOS / micros / cores, waitedMicros / micros, mostWaiting);
    }

    /**
     * How busy a machine was.
     *
     * @param busy the part of their time in which they worked: above 1 by the last tasks, which end later
     * @param meanWaiting how many tasks waited on average, behind others of their lane or for a core
     * @param mostWaiting how many tasks waited at the worst moment
     */
    public record Usage(int cores, double busy, double meanWaiting, int mostWaiting) {}
}

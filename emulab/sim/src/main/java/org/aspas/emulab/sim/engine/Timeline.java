package org.aspas.emulab.sim.engine;

import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * The simulator's engine: virtual time in microseconds and what is due in it (docs/simulator.md).
 *
 * <p><b>What it guards.</b> One seed is one run, to the byte. A run of the whole system, with its clients, 3f+1 appservers, 3b+1 bftservers,
 * disks and networks, is a sequence of actions on this one queue, and nothing else happens. So a violation that a campaign finds among
 * ten thousand runs is found again by its seed, shrunk by leaving faults out, and kept as a test.
 *
 * <p><b>Why runs repeat.</b> The cores are the production code, and pure: they have no thread, clock, socket or randomness of their own, and
 * Ed25519 signatures are deterministic. Time is {@link #now}, a number. Of two actions that are due at one moment the one scheduled first
 * happens first. Every choice is drawn from a {@link SeededRandom}, which has a stream of its own for each purpose, so that leaving
 * out one fault does not shift the others. ArchitectureTest keeps threads, clocks and unseeded randomness out of the packages of the
 * simulator, and the {@link Trace} hashes all that happened, so that two runs can be compared as one number.
 *
 * <p><b>What it leaves out.</b> Threads of the shells, the operating system and real disks are not here, unless a run has processors
 * ({@code sim.node.Machine}), which queue work and take time for it. Attacks on those are tests on sockets.
 *
 * <p>For one thread: a run is one thread, and a campaign gives each of its threads whole runs.
 */
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

    /** Invariant: nothing in it is due before {@link #now}. */
    private final PriorityQueue<Due> queue = new PriorityQueue<>();

    /** In microseconds since the run began. Invariant: it never falls. */
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
        assert next.time() >= now : "due at " + next.time() + ", before " + now;
        now = next.time();
        next.action().run();
        return true;
    }
}

package org.aspas.emulab.baselines.obft;

import java.util.EnumMap;
import java.util.Map;
import org.aspas.emulab.baselines.obft.core.Effect;

/** Where one replica's time goes: how long it is in each phase, and how long its core works. Thread-safe. */
final class SynchronisationMeter {
    /**
     * What was measured in a while.
     *
     * @param nanos how long the while was
     * @param phases the part of it that each phase took, in nanoseconds
     * @param working how long the core's thread was busy, in nanoseconds
     * @param workingStopped how much of that while clients were stopped
     * @param undone how many operations they undid here
     * @param fetched how many operations had to be fetched
     * @param moreRounds how many of them needed more than one round
     */
    record Sums(
            long nanos,
            Map<Effect.Phase, Long> phases,
            long working,
            long workingStopped,
            long synchronisations,
            long undone,
            long fetched,
            long moreRounds) {
        long in(Effect.Phase phase) {
            return phases.getOrDefault(phase, 0L);
        }

        /** How long clients were stopped, in nanoseconds. */
        long stopped() {
            return in(Effect.Phase.STOPPED) + in(Effect.Phase.AGREEING) + in(Effect.Phase.FETCHING);
        }
    }

    private final Map<Effect.Phase, Long> phases = new EnumMap<>(Effect.Phase.class);
    private Effect.Phase phase = Effect.Phase.RUNNING;
    private long since;
    private long begun;
    private long working;
    private long workingStopped;
    private long synchronisations;
    private long undone;
    private long fetched;
    private long moreRounds;

    /** A meter that begins at a time, as {@link System#nanoTime} tells it. */
    SynchronisationMeter(long nanos) {
        this.since = nanos;
        this.begun = nanos;
    }

    synchronized void entered(Effect.Phase next, long nanos) {
        phases.merge(phase, nanos - since, Long::sum);
        since = nanos;
        phase = next;
    }

    synchronized void worked(long nanos) {
        working += nanos;
        workingStopped += phase == Effect.Phase.RUNNING ? 0 : nanos;
    }

    synchronized void ended(Effect.Synchronised over) {
        synchronisations++;
        undone += over.undone();
        fetched += over.fetched();
        moreRounds += over.round() > 0 ? 1 : 0;
    }

    /** What was measured since the last call. */
    synchronized Sums take(long nanos) {
        entered(phase, nanos);
        Sums sums = new Sums(
                nanos - begun,
                new EnumMap<>(phases),
                working,
                workingStopped,
                synchronisations,
                undone,
                fetched,
                moreRounds);
        phases.clear();
        begun = nanos;
        working = 0;
        workingStopped = 0;
        synchronisations = 0;
        undone = 0;
        fetched = 0;
        moreRounds = 0;
        return sums;
    }
}

package org.aspas.certify.machine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.crdt.clock.VersionVector;

/**
 * Which version is asked for next, and what of it remains after a round without a decision (the protocol page,
 * docs/protocol.md §5.2, §5.4).
 */
final class TargetVersion {
    private final List<OriginBackoff> backoffs;
    private VersionVector decided;

    TargetVersion(int origins) {
        this.backoffs = new ArrayList<>(Collections.nCopies(origins, OriginBackoff.NONE));
        this.decided = VersionVector.zero(origins);
    }

    /** Whether the goal has a component beyond the goal of the last decided round. */
    boolean grows(VersionVector goal) {
        return !decided.dominates(goal);
    }

    /** The goal of an epoch that would begin now: what a quorum holds, with every backoff. */
    VersionVector next(VersionVector stable, VersionVector certified, long now) {
        VersionVector goal = certified;
        for (int origin = 0; origin < backoffs.size(); origin++) {
            goal = goal.with(origin, backoffs.get(origin).limit(stable.get(origin), certified.get(origin), now));
        }
        return goal;
    }

    /** Whether a coming step of time changes a goal. */
    boolean awaitTime(long now) {
        return backoffs.stream().anyMatch(backoff -> backoff.awaitsTime(now));
    }

    /**
     * Remembers that a round with this goal was decided.
     *
     * @param certified what is certified before that decision
     */
    void decided(VersionVector goal, VersionVector certified) {
        decided = goal;
        for (int origin = 0; origin < backoffs.size(); origin++) {
            backoffs.set(origin, backoffs.get(origin).decided(goal.get(origin), certified.get(origin)));
        }
    }

    /**
     * Forgets the decision: another content takes its place, which certifies this. The rest is asked for again.
     *
     * @param certified what is certified before that content
     */
    void replaced(VersionVector version, VersionVector certified) {
        decided = version;
        for (int origin = 0; origin < backoffs.size(); origin++) {
            backoffs.set(origin, backoffs.get(origin).agreed(version.get(origin), certified.get(origin)));
        }
    }

    /** How many times a round with this goal doubles its time while somebody has not answered. */
    int patience(VersionVector goal, VersionVector certified) {
        int most = 0;
        for (int origin = 0; origin < backoffs.size(); origin++) {
            if (goal.get(origin) > certified.get(origin)) {
                most = Math.max(most, backoffs.get(origin).patience());
            }
        }
        return most;
    }

    /**
     * The goal after a round that ended undecided. With fewer than 2f+1 senders nothing can be told and the goal stays.
     * Otherwise every origin without 2f+1 agreeing roots falls to its certified value; when all have them, and yet too few
     * senders agree with all, the one with the most dissent falls.
     */
    VersionVector lowered(VersionVector goal, VersionVector certified, Tally tally, long now, int roundTicks) {
        if (!tally.complete()) {
            return goal;
        }
        VersionVector lower = goal;
        for (int origin : tally.doubtful(goal, certified)) {
            lower = lower.with(origin, certified.get(origin));
            backoffs.set(origin, backoffs.get(origin).failed(goal.get(origin), certified.get(origin), now, roundTicks));
        }
        return lower;
    }

    void write(SnapshotWriter writer) {
        writer.version(decided);
        backoffs.forEach(backoff -> backoff.write(writer));
    }

    static TargetVersion read(SnapshotReader reader, int origins) {
        TargetVersion target = new TargetVersion(origins);
        target.decided = reader.version();
        target.backoffs.replaceAll(any -> OriginBackoff.read(reader));
        return target;
    }

    /**
     * What a failed round leaves on an origin whose log found no quorum. The origin is left out of goals until a step of time,
     * and then asked for half of what failed, so that the goal does not run away from a slow correct server, and the part of a
     * forked log that all still share is found by bisection. Each failure in a row doubles the pause, up to a bound, so that a
     * forked origin costs the others little.
     *
     * <p>The log may also be in order, and a liar dissent about it before a slow correct server speaks. So each failure in a row
     * doubles also, up to a bound, how long a round waits for those who have not answered. A decided round takes one failure
     * back, not all: a liar who goes on does not begin anew.
     *
     * @param cap how far the origin is asked for; {@link #NO_CAP} when it is asked for in full
     * @param until from which step on it is asked for at all
     * @param failures how many times it failed, less the times that it was decided since, bounded
     */
    record OriginBackoff(long cap, long until, int failures) {
        static final long NO_CAP = Long.MAX_VALUE;
        static final int MOST_FAILURES = 8;
        static final OriginBackoff NONE = new OriginBackoff(NO_CAP, 0, 0);

        /** A pause is at most 2 to this power times as long as a first round. */
        static final int LONGEST_PAUSE = 4;

        /** A round waits at most 2 to this power times as long for those who have not answered. */
        static final int LONGEST_WAIT = 3;

        /** The origin's component of the next goal, which is never below what is certified, nor held there by a cap that was passed. */
        long limit(long stable, long certified, long now) {
            return now < until ? certified : Math.max(certified, Math.min(stable, Math.max(cap, certified + 1)));
        }

        /** Whether a coming step of time changes what the origin is asked for. */
        boolean awaitsTime(long now) {
            return now < until;
        }

        /** How many times a round that asks for the origin doubles its time while somebody has not answered. */
        int patience() {
            return Math.min(failures, LONGEST_WAIT);
        }

        /** The backoff after a failure of this goal, which is beyond what is certified. */
        OriginBackoff failed(long goal, long certified, long now, int roundTicks) {
            int more = Math.min(failures + 1, MOST_FAILURES);
            long half = certified + Math.max(1, (goal - certified) / 2);
            return new OriginBackoff(half, now + ((long) roundTicks << Math.min(more - 1, LONGEST_PAUSE)), more);
        }

        /** The backoff after a decision at this goal, which may be what was certified before. */
        OriginBackoff decided(long goal, long certified) {
            return goal > certified && (goal >= cap || cap == NO_CAP)
                    ? new OriginBackoff(NO_CAP, 0, Math.max(0, failures - 1))
                    : this;
        }

        /** The backoff after it was shown that a quorum agreed on this much, though no round was decided. */
        OriginBackoff agreed(long version, long certified) {
            return version > certified && version >= cap
                    ? new OriginBackoff(NO_CAP, 0, Math.max(0, failures - 1))
                    : this;
        }

        void write(SnapshotWriter writer) {
            writer.number(cap);
            writer.number(until);
            writer.number(failures);
        }

        static OriginBackoff read(SnapshotReader reader) {
            return new OriginBackoff(reader.number(0), reader.number(0), reader.count(0, MOST_FAILURES));
        }
    }
}

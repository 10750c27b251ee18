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
}

package org.aspas.certify.replica;

import org.aspas.certify.quorum.Quorums;

/**
 * When one replica votes for the next step of ordered time (the protocol page, §5.2). It votes a full step after it saw
 * the last one pass, so that time never runs ahead of the fastest correct replica's clock, whatever b others vote. Of each
 * step only b+1 replicas, in turn, vote at that moment, as many as a step takes; the others follow half a step later, and
 * so vote only when one of the first did not. While the machine waits for nothing, votes come more seldom: they then only
 * show to the ordering library that its leader still works. Not thread-safe.
 */
final class TickPace {
    /** How many steps long a step is while nothing waits for time. */
    static final int IDLE_STEPS = 10;

    /** After how many steps without a sign of its vote a replica votes again. */
    static final int REPEAT_STEPS = 20;

    private final int replica;
    private final Quorums quorums;
    private final long stepMillis;
    private long tick = -1;
    private boolean awaited;
    private long since;
    private long voted = -1;
    private long votedAt;

    /** Makes the pace of a replica that votes; a step lasts {@code stepMillis} milliseconds, from 1. */
    TickPace(int replica, Quorums quorums, long stepMillis) {
        this.replica = replica;
        this.quorums = quorums;
        this.stepMillis = stepMillis;
    }

    /** How often {@link #due} is to be asked, in milliseconds. */
    long pollMillis() {
        return Math.max(1, stepMillis / 5);
    }

    /**
     * Whether to vote now for the step after the given one; when so, the vote counts as cast.
     *
     * @param now the current step at this replica
     * @param wanted whether the machine waits for time
     * @param millis a clock that never goes back, in milliseconds
     */
    boolean due(long now, boolean wanted, long millis) {
        if (now != tick || (wanted && !awaited)) {
            tick = now;
            since = millis;
        }
        awaited = wanted;
        boolean repeated = voted == now + 1;
        long waited = repeated ? millis - votedAt : millis - since;
        // Half a poll early on the average hits the moment better than always late.
        if (waited + pollMillis() / 2 < (repeated ? REPEAT_STEPS * stepMillis : patience(now + 1, wanted))) {
            return false;
        }
        voted = now + 1;
        votedAt = millis;
        return true;
    }

    private long patience(long step, boolean wanted) {
        long whole = wanted ? stepMillis : IDLE_STEPS * stepMillis;
        boolean first = Math.floorMod(replica - step, quorums.bftservers()) < quorums.oneCorrectBftserver();
        return first ? whole : whole + stepMillis / 2;
    }
}

package org.aspas.certify.machine;

import java.util.TreeSet;

/** Ordered time: step k+1 passes when enough distinct replicas voted for it (the protocol page, docs/protocol.md §5.2). */
final class OrderedTime {
    private final int needed;
    private final TreeSet<Integer> voters = new TreeSet<>();
    private long now;

    /** Time at step 0, where each step takes this many votes. */
    OrderedTime(int needed) {
        this.needed = needed;
    }

    long now() {
        return now;
    }

    /** Whether the replica's vote for this step would count. */
    boolean awaits(int replica, long k) {
        return k - 1 == now && !voters.contains(replica);
    }

    /** Counts a vote for the next step; true when the step passes with it. */
    boolean vote(int replica) {
        voters.add(replica);
        if (voters.size() < needed) {
            return false;
        }
        voters.clear();
        now++;
        return true;
    }

    /** Goes to a step at once, unless time is there already; votes for steps before it count no more. */
    void reach(long step) {
        if (step > now) {
            voters.clear();
            now = step;
        }
    }

    void write(SnapshotWriter writer) {
        writer.number(now);
        writer.number(voters.size());
        voters.forEach(writer::number);
    }

    static OrderedTime read(SnapshotReader reader, int needed, int replicas) {
        OrderedTime time = new OrderedTime(needed);
        time.now = reader.number(0, Long.MAX_VALUE / 2);
        int votes = reader.count(0, needed - 1);
        int next = 0;
        for (int i = 0; i < votes; i++) {
            int voter = reader.count(next, replicas - 1);
            time.voters.add(voter);
            next = voter + 1;
        }
        return time;
    }
}

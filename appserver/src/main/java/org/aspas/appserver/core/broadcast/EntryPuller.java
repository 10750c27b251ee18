package org.aspas.appserver.core.broadcast;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.broadcast.PeerTable.Peer;
import org.aspas.appserver.core.step.CoreContext;
import org.aspas.appserver.core.step.CorePart;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Pull;
import org.aspas.crdt.clock.VersionVector;

/** Asks for entries of other origins that are missing here: whoever has them, in turn. For one thread. */
final class EntryPuller extends CorePart {
    private static final long PATIENCE_MILLIS = 300;
    private static final long PULL_MILLIS = 100;

    private final Logs logs;
    private final PeerTable peers;
    private final long[] progressAt;
    private final long[] pulledAt;
    private final int[] turns;
    private VersionVector goal;

    EntryPuller(CoreContext context, Logs logs, PeerTable peers) {
        super(context);
        this.logs = logs;
        this.peers = peers;
        int servers = settings.quorums().appservers();
        this.goal = VersionVector.zero(servers);
        this.progressAt = new long[servers];
        this.pulledAt = new long[servers];
        this.turns = new int[servers];
        // Time has any origin, and may be negative: what never happened lies before all of it.
        Arrays.fill(progressAt, Long.MIN_VALUE / 2);
        Arrays.fill(pulledAt, Long.MIN_VALUE / 2);
    }

    void want(VersionVector wanted) {
        goal = goal.join(wanted);
    }

    /** New entries of an origin came: the next ones may come by themselves. */
    void progressed(int origin) {
        progressAt[origin] = time.now();
    }

    /**
     * Asks for what is missing of each origin and does not come by itself.
     *
     * @param next the content of the certificate that is to be adopted next, if it is here
     */
    void pull(Optional<CertificateContent> next) {
        for (int origin = 0; origin < progressAt.length; origin++) {
            long held = logs.of(origin).size();
            boolean patient = time.now() - progressAt[origin] < PATIENCE_MILLIS && goal.get(origin) <= held;
            if (!logs.madeHere(origin)
                    && !logs.cuts().excludes(origin)
                    && !patient
                    && time.now() - pulledAt[origin] >= PULL_MILLIS) {
                int whose = origin;
                long certified =
                        next.map(content -> content.version().get(whose)).orElse(0L);
                pullFromSomebody(origin, held, certified);
            }
        }
    }

    /** What is certified is asked for by its certified size, where somebody has all of that; else what has a head. */
    private void pullFromSomebody(int origin, long held, long certified) {
        List<Peer> holders = certified > held ? peers.holders(origin, certified) : List.of();
        if (!holders.isEmpty()) {
            pull(origin, holders, new Pull(origin, held, certified));
        } else if (!logs.repairing(origin)) {
            pull(origin, peers.holders(origin, held + 1), new Pull(origin, held));
        }
    }

    private void pull(int origin, List<Peer> holders, Pull pull) {
        if (!holders.isEmpty()) {
            pulledAt[origin] = time.now();
            // Each origin has its own turn: with one for all, two origins could for ever ask the same two peers.
            Peer chosen = holders.get(Math.floorMod(turns[origin]++, holders.size()));
            outbox.node(chosen.id, pull);
            counters.count("pulls_sent");
        }
    }
}

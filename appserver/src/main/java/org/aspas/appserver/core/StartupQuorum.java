package org.aspas.appserver.core;

import java.util.Set;
import java.util.TreeSet;
import org.aspas.appserver.core.certification.CertifiedHistory;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.identity.NodeId;
import org.aspas.crdt.clock.VersionVector;

/**
 * Who has told a server that starts what they hold of its log.
 *
 * <p>With an empty store it waits for 2f+1 of its 3f peers; after {@link #PATIENCE_MILLIS} f+1 are enough, since f may never answer. What
 * this shows: among 2f+1 peers f+1 are correct, among f+1 one is, and a correct one shows what it holds. What it cannot show: an
 * entry that none of these holds, or that only a client saw. A server that lost such an entry gives its place a second time, and can
 * be convicted of a fork.
 *
 * <p>With a store that has records it waits for f+1 peers, and serves in any case after {@link #COURTESY_MILLIS}: nobody else is needed to
 * serve (protocol.md, G1), but a store that was put back as it was earlier is noticed before anything is signed, when some correct
 * peer is there. For one thread.
 */
final class StartupQuorum extends CorePart {
    /** For how long, by the ticks, 2f+1 peers are waited for. */
    static final long PATIENCE_MILLIS = 5_000;

    /** For how long, by the ticks, a server with a good store waits for f+1 peers. */
    static final long COURTESY_MILLIS = 2_000;

    /** Whose word is needed. */
    private enum Need {
        NOBODY,
        /** f+1 peers, or the time. */
        COURTESY,
        /** 2f+1 peers, or the time and f+1. */
        PEERS
    }

    private final Logs logs;
    private final Set<NodeId> told = new TreeSet<>();
    private Need need = Need.NOBODY;

    StartupQuorum(CoreState context, Logs logs) {
        super(context);
        this.logs = logs;
    }

    /** The store is empty: from now on the words of peers are needed. */
    void begin() {
        need = Need.PEERS;
        condition.become(ServerState.JOINING, "its store is empty, and peers have not told what they hold of its log");
    }

    /** The store has records: for a moment, peers are listened to before the server serves. */
    void listen() {
        need = Need.COURTESY;
        if (condition.state() == ServerState.SERVING && !complete()) {
            condition.become(ServerState.JOINING, "it started, and listens to its peers for 2 s at most");
        }
    }

    /**
     * A peer tells what it holds, and has shown its heads. Had one been of own entries beyond the log here, the state would be
     * another one by now. A peer that holds such entries and has not shown their head yet, as in an acknowledgment, has not told.
     */
    void frontier(NodeId from, VersionVector holds) {
        boolean tells = settings.peers().contains(from)
                && holds.size() == settings.quorums().appservers()
                && holds.get(settings.index()) <= logs.own().size();
        if (tells && !complete()) {
            told.add(from);
            look();
        }
    }

    /** Looks at the time, which counts from the core's first tick. */
    void tick() {
        look();
    }

    private void look() {
        if (condition.state() == ServerState.JOINING && complete()) {
            condition.become(ServerState.SERVING, told.size() + " peers have told what they hold of its log");
        }
    }

    /** The state of a server whose logs are whole. */
    ServerState whole() {
        return complete() ? ServerState.SERVING : ServerState.JOINING;
    }

    private boolean complete() {
        int few = Math.min(
                settings.quorums().oneCorrectAppserver(), settings.peers().size());
        return switch (need) {
            case NOBODY -> true;
            case COURTESY -> told.size() >= few || time.now() >= COURTESY_MILLIS;
            case PEERS ->
                told.size()
                        >= (time.now() < PATIENCE_MILLIS ? settings.quorums().appserverQuorum() : few);
        };
    }

    /** What was taken back is here again, and so is what own entries depend on: the server can serve. */
    void endRepair(CertifiedHistory history) {
        if (condition.repairing() && !history.incomplete() && !logs.repairing() && logs.issuing()) {
            condition.become(whole(), "the logs are the certified ones again");
        }
    }
}

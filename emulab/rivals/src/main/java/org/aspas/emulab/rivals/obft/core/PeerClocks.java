package org.aspas.emulab.rivals.obft.core;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Clocks;

/** What each replica has said last of its clocks, this one among them. Not thread-safe. */
final class PeerClocks {
    private final Map<Integer, Clocks> known = new TreeMap<>();

    /** Takes what a replica says; returns what it said before. */
    Optional<Clocks> put(int replica, Clocks clocks) {
        return Optional.ofNullable(known.put(replica, clocks));
    }

    /** How many replicas have stopped for an epoch. */
    int stopped(long epoch) {
        return (int) known.values().stream()
                .filter(clocks -> clocks.stopped() && clocks.epoch() == epoch)
                .count();
    }

    /** Whether a log has all that each replica had executed itself, as far as is known. */
    boolean allIn(EpochLog log) {
        return known.entrySet().stream()
                .allMatch(each ->
                        log.count(each.getKey()) >= each.getValue().counts().get(each.getKey()));
    }

    /** Whether somebody is in a later epoch. */
    boolean anyAfter(long epoch) {
        return known.values().stream().anyMatch(clocks -> clocks.epoch() > epoch);
    }

    /** Whether a replica has said twice in a row that it lacks the same operations of an origin. */
    static boolean stalls(Optional<Clocks> before, Clocks now, int origin) {
        return before.filter(old -> old.stopped() == now.stopped()
                        && old.counts().get(origin) == now.counts().get(origin))
                .isPresent();
    }
}

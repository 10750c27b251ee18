package org.aspas.emulab.rivals.obft.core;

import java.util.Map;
import java.util.TreeMap;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Clocks;

/** What each replica has said last of its clocks, this one among them, and what follows from it. Not thread-safe. */
final class PeerClocks {
    private record Lack(long has, long since) {}

    private final ObftSettings settings;
    private final Map<Integer, Clocks> known = new TreeMap<>();
    private final Map<Integer, Lack> lacks = new TreeMap<>();
    private int ticksSinceStop;

    PeerClocks(ObftSettings settings) {
        this.settings = settings;
    }

    void put(int replica, Clocks clocks) {
        known.put(replica, clocks);
    }

    /** How many replicas have stopped for an epoch. */
    int stopped(long epoch) {
        return (int) known.values().stream()
                .filter(clocks -> clocks.stopped() && clocks.epoch() == epoch)
                .count();
    }

    void tick(long epoch) {
        ticksSinceStop += stopped(epoch) > 0 ? 1 : 0;
    }

    /** This replica stops, or begins another epoch. */
    void beginWaiting() {
        ticksSinceStop = 0;
    }

    private boolean impatient() {
        return ticksSinceStop >= settings.patienceTicks();
    }

    /** One replica that stops alone may be faulty, or the first to have enough: it is believed after a while. */
    boolean isTimeToStop(long epoch, EpochLog log) {
        int stopped = stopped(epoch);
        return log.size() >= settings.interval() || stopped >= settings.oneCorrect() || (stopped > 0 && impatient());
    }

    /** Whether a log has all that each replica had executed itself when it stopped; after a while, whether enough have. */
    boolean isTimeToReport(long epoch, EpochLog log) {
        if (impatient()) {
            return stopped(epoch) >= settings.quorum();
        }
        return stopped(epoch) == settings.replicas()
                && known.entrySet().stream()
                        .allMatch(each -> log.count(each.getKey())
                                >= each.getValue().counts().get(each.getKey()));
    }

    boolean anyAfter(long epoch) {
        return known.values().stream().anyMatch(clocks -> clocks.epoch() > epoch);
    }

    /**
     * Whether a replica lacks the same operations for a while already, and not only because they are on their way.
     *
     * @param has how many operations of this replica it has
     * @param now the present tick
     */
    boolean lacks(int replica, long has, long all, long now) {
        Lack before = lacks.get(replica);
        if (has >= all) {
            lacks.remove(replica);
        } else if (before == null || before.has() != has || now - before.since() >= settings.repeatTicks()) {
            lacks.put(replica, new Lack(has, now));
        }
        return before != null && before.has() == has && has < all && now - before.since() >= settings.repeatTicks();
    }
}

package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetch;
import org.aspas.emulab.baselines.obft.core.ObftMessage.Fetched;

/**
 * Gets the chains of an agreed set that a replica lacks, each whole and from one peer after the other, until one gives what
 * the set's hash says. At least one correct replica has them, since f+1 logs had. Not thread-safe.
 */
final class Fetching {
    /** One chain on its way. */
    private static final class Chain {
        final List<SharedOperation> operations = new ArrayList<>();
        Hash head = Hash.ZERO;
        int peer;
        int ticks;

        void restart() {
            operations.clear();
            head = Hash.ZERO;
            ticks = 0;
        }
    }

    private final ObftSettings settings;
    private final AgreedSet set;
    private final VersionVector base;
    private final Map<Integer, Chain> missing = new TreeMap<>();
    private final Map<Integer, List<SharedOperation>> complete = new TreeMap<>();
    private int fetched;

    Fetching(ObftSettings settings, AgreedSet set, EpochLog log, ObftOutbox out) {
        this.settings = settings;
        this.set = set;
        this.base = log.base();
        for (int origin = 0; origin < settings.replicas(); origin++) {
            if (log.has(set, origin)) {
                complete.put(origin, log.within(set, origin));
            } else {
                Chain chain = new Chain();
                chain.peer = settings.self();
                missing.put(origin, chain);
                next(origin, chain, out);
            }
        }
    }

    private void next(int origin, Chain chain, ObftOutbox out) {
        chain.restart();
        chain.peer = (chain.peer + 1) % settings.replicas();
        if (chain.peer == settings.self()) {
            chain.peer = (chain.peer + 1) % settings.replicas();
        }
        ask(origin, chain, out);
    }

    private void ask(int origin, Chain chain, ObftOutbox out) {
        out.send(chain.peer, new Fetch(set.epoch(), origin, base.get(origin) + chain.operations.size()));
    }

    boolean done() {
        return missing.isEmpty();
    }

    int fetched() {
        return fetched;
    }

    /** All operations of the set, by origin. */
    List<List<SharedOperation>> operations() {
        return List.copyOf(complete.values());
    }

    void onFetched(int from, Fetched answer, ObftOutbox out) {
        int origin = answer.origin();
        Chain chain = missing.get(origin);
        if (chain == null || chain.peer != from || answer.after() != base.get(origin) + chain.operations.size()) {
            return;
        }
        long wanted = set.cut().get(origin) - base.get(origin);
        int before = chain.operations.size();
        for (SharedOperation operation : answer.operations()) {
            boolean next = operation.epoch() == set.epoch()
                    && operation.origin() == origin
                    && operation.sequence() == base.get(origin) + chain.operations.size() + 1;
            if (next && chain.operations.size() < wanted) {
                chain.operations.add(operation);
                chain.head = EpochLog.chained(chain.head, operation);
            }
        }
        if (chain.operations.size() == wanted && chain.head.equals(set.heads().get(origin))) {
            missing.remove(origin);
            complete.put(origin, List.copyOf(chain.operations));
            fetched += chain.operations.size();
        } else if (chain.operations.size() == before || chain.operations.size() == wanted) {
            next(origin, chain, out);
        } else {
            chain.ticks = 0;
            ask(origin, chain, out);
        }
    }

    void tick(ObftOutbox out) {
        missing.forEach((origin, chain) -> {
            chain.ticks++;
            if (chain.ticks >= settings.repeatTicks()) {
                next(origin, chain, out);
            }
        });
    }
}

package org.aspas.client.core;

import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which unconfirmed updates are on their way and which have to be sent. Requests reach a server in number order: one that
 * has to be sent again waits until all later ones have come back.
 */
final class SendQueue {
    private final TreeMap<Long, PendingUpdate> toSend = new TreeMap<>();
    private final TreeMap<Long, PendingUpdate> sent = new TreeMap<>();

    void add(PendingUpdate update) {
        toSend.put(update.place, update);
    }

    /** An update that is on its way, or null. */
    @Nullable
    PendingUpdate onItsWay(long place) {
        return sent.get(place);
    }

    /** The update that is on its way with the lowest number, or null. */
    @Nullable
    PendingUpdate oldestOnItsWay() {
        return sent.isEmpty() ? null : sent.firstEntry().getValue();
    }

    /** An update has to be sent, unless it is on its way. */
    void require(PendingUpdate update) {
        if (!sent.containsKey(update.place)) {
            toSend.put(update.place, update);
        }
    }

    /** Forgets an update that the server has dealt with. */
    void done(long place) {
        sent.remove(place);
        toSend.remove(place);
    }

    /** An update that is on its way has to be sent again. */
    void again(long place) {
        PendingUpdate update = sent.remove(place);
        if (update != null) {
            toSend.put(place, update);
        }
    }

    boolean hasToSendBefore(long place) {
        return !toSend.isEmpty() && toSend.firstKey() < place;
    }

    private boolean anyOnItsWayAfter(long place) {
        return sent.higherKey(place) != null;
    }

    /** Moves the next update to those on their way; null when none may be sent now, as far as {@code allowed} of it. */
    @Nullable
    PendingUpdate next(int bound, Predicate<PendingUpdate> allowed) {
        if (toSend.isEmpty() || sent.size() >= bound || anyOnItsWayAfter(toSend.firstKey())) {
            return null;
        }
        if (!allowed.test(toSend.firstEntry().getValue())) {
            return null;
        }
        PendingUpdate update = toSend.pollFirstEntry().getValue();
        sent.put(update.place, update);
        return update;
    }

    void clear() {
        toSend.clear();
        sent.clear();
    }
}

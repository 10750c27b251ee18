package org.aspas.client.core.window;

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
        toSend.put(update.number, update);
    }

    /** An update that is on its way, or null. */
    @Nullable
    PendingUpdate onItsWay(long number) {
        return sent.get(number);
    }

    /** The server has dealt with a number. */
    void done(long number) {
        sent.remove(number);
        toSend.remove(number);
    }

    /** An update that is on its way has to be sent again. */
    void again(long number) {
        PendingUpdate update = sent.remove(number);
        if (update != null) {
            toSend.put(number, update);
        }
    }

    boolean hasToSendBefore(long number) {
        return !toSend.isEmpty() && toSend.firstKey() < number;
    }

    private boolean anyOnItsWayAfter(long number) {
        return sent.higherKey(number) != null;
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
        sent.put(update.number, update);
        return update;
    }

    void clear() {
        toSend.clear();
        sent.clear();
    }
}

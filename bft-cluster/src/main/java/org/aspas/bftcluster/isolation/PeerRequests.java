package org.aspas.bftcluster.isolation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.bftcluster.frame.ReplicaGroup;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The share of one bftserver in the {@link RequestPool}: which of its requests wait in the local library, and which
 * comes next in each session. The library keeps every request until it is ordered, and takes an unknown session from
 * any number on. Replicas that hear of one session from different numbers on would never have the same requests. So a
 * session begins at 0 here and goes on by 1, as {@link OrderingClient} gives it to each replica. Not thread-safe: the
 * pool guards it.
 */
final class PeerRequests {
    /** After this long a request that was not ordered waits no more: whoever wants it ordered has submitted it again. */
    static final long FORGET_NANOS = 60_000_000_000L;

    private final Map<RequestId, Waiting> waiting = new LinkedHashMap<>();
    private final Map<Integer, Turn> turns = new HashMap<>();
    private final long maxBytes;
    private long bytes;

    PeerRequests(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private record Waiting(byte[] request, long since) {}

    /** What a client may say next in its session. */
    private record Turn(int session, int next) {}

    enum Fate {
        TAKEN,
        /** It is not the next of its session: an earlier one was lost, or this one was here already. */
        OUT_OF_TURN,
        /** It waits here already. */
        WAITING,
        NO_ROOM
    }

    /** Takes a request that its owner gives. */
    Fate given(RequestId id, byte[] request, long nanos) {
        Turn turn = turns.get(id.client());
        int expected = turn == null || turn.session() != id.session() ? 0 : turn.next();
        if (id.sequence() != expected) {
            return Fate.OUT_OF_TURN;
        }
        Fate fate = take(id, request, nanos);
        if (fate == Fate.TAKEN) {
            turns.put(id.client(), new Turn(id.session(), id.sequence() + 1));
        }
        return fate;
    }

    /** Takes a request of the owner that came by another way: passed on by a replica that waits for it. */
    Fate passedOn(RequestId id, byte[] request, long nanos) {
        Fate fate = take(id, request, nanos);
        Turn turn = turns.get(id.client());
        if (fate == Fate.TAKEN && turn != null && turn.equals(new Turn(id.session(), id.sequence()))) {
            turns.put(id.client(), new Turn(id.session(), id.sequence() + 1));
        }
        return fate;
    }

    private Fate take(RequestId id, byte[] request, long nanos) {
        if (waiting.containsKey(id)) {
            return Fate.WAITING;
        }
        if (waiting.size() >= ReplicaGroup.MOST_WAITING || bytes + request.length > maxBytes) {
            return Fate.NO_ROOM;
        }
        waiting.put(id, new Waiting(request, nanos));
        bytes += request.length;
        return Fate.TAKEN;
    }

    byte @Nullable [] waiting(RequestId id) {
        Waiting known = waiting.get(id);
        return known == null ? null : known.request();
    }

    /** Removes and returns what has waited too long. */
    List<byte[]> expire(long nanos) {
        List<byte[]> late = new ArrayList<>();
        Iterator<Waiting> oldest = waiting.values().iterator();
        while (oldest.hasNext()) {
            Waiting next = oldest.next();
            if (nanos - next.since() < FORGET_NANOS) {
                break;
            }
            late.add(next.request());
            bytes -= next.request().length;
            oldest.remove();
        }
        return late;
    }

    /** None waits any more, and no session has begun. */
    void forget() {
        waiting.clear();
        turns.clear();
        bytes = 0;
    }

    void executed(RequestId id) {
        Waiting done = waiting.remove(id);
        if (done != null) {
            bytes -= done.request().length;
        }
    }
}

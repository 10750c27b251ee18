package org.aspas.bftcluster.isolation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.frame.ReplicaGroup;
import org.aspas.bftcluster.frame.RequestCheck;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;
import org.aspas.certify.bound.BoundedMap;
import org.jspecify.annotations.Nullable;

/** The requests that wait in the local library to be ordered, each in its owner's share. Thread-safe. */
final class RequestPool {
    /** What was executed within this time is not ordered again because others still wait for it. */
    private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MOST_RECENT = 20_000;

    private final Map<Integer, PeerRequests> shares = new HashMap<>();
    private final Map<RequestId, Long> executedNanos = new BoundedMap<>(MOST_RECENT);

    /**
     * An empty pool.
     *
     * @param self this bftserver's index; the client bounds its own requests, so the pool does not
     * @param maxBytes how much may wait of each other bftserver, in bytes
     */
    RequestPool(int self, int replicas, long maxBytes) {
        for (int owner = 0; owner < replicas; owner++) {
            shares.put(owner, new PeerRequests(owner == self ? Long.MAX_VALUE : maxBytes));
        }
    }

    /** How many requests may be on their way to the library. */
    int capacity() {
        return (shares.size() + 1) * ReplicaGroup.MOST_WAITING;
    }

    synchronized PeerRequests.Fate given(int owner, RequestId id, byte[] request, long nanos) {
        PeerRequests share = shares.get(owner);
        return share == null ? PeerRequests.Fate.NO_ROOM : share.given(id, request, nanos);
    }

    /** Takes a request that others wait for; false when it waits here too, was executed a moment ago, or has no room. */
    synchronized boolean passedOn(byte[] request, long nanos) {
        RequestId id = RequestCheck.id(request);
        Long executed = executedNanos.get(id);
        PeerRequests share = shares.get(RequestCheck.owner(id.client()));
        return share != null
                && (executed == null || nanos - executed >= RECENT_NANOS)
                && share.passedOn(id, request, nanos) == PeerRequests.Fate.TAKEN;
    }

    synchronized byte @Nullable [] waiting(RequestId id) {
        PeerRequests share = shares.get(RequestCheck.owner(id.client()));
        return share == null ? null : share.waiting(id);
    }

    synchronized void executed(RequestId id, long nanos) {
        PeerRequests share = shares.get(RequestCheck.owner(id.client()));
        if (share != null) {
            share.executed(id);
        }
        executedNanos.put(id, nanos);
    }

    /** Removes and returns what has waited too long. */
    synchronized List<byte[]> expire(long nanos) {
        List<byte[]> late = new ArrayList<>();
        shares.values().forEach(share -> late.addAll(share.expire(nanos)));
        return late;
    }

    /** None waits any more, and no session has begun. */
    synchronized void forget() {
        shares.values().forEach(PeerRequests::forget);
    }
}

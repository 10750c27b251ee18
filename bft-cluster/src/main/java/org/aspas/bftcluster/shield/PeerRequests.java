package org.aspas.bftcluster.shield;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.aspas.bftcluster.frame.RequestCheck.RequestId;

/**
 * How many requests one peer may have waiting in the local library. The library keeps every request until it is
 * ordered. Thread-safe.
 */
final class PeerRequests {
    private static final int MAX_WAITING = 4096;
    /** After this long a request that was not ordered counts no more: it may have been ordered elsewhere. */
    private static final long FORGET_NANOS = 60_000_000_000L;

    private final Map<RequestId, Waiting> waiting = new LinkedHashMap<>();
    private final long maxBytes;
    private long bytes;

    PeerRequests(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    private record Waiting(int bytes, long since) {}

    /** Whether a request may be given to the library. */
    synchronized boolean admit(RequestId id, int size, long nanos) {
        Iterator<Waiting> oldest = waiting.values().iterator();
        while (oldest.hasNext()) {
            Waiting next = oldest.next();
            if (nanos - next.since() < FORGET_NANOS) {
                break;
            }
            bytes -= next.bytes();
            oldest.remove();
        }
        if (waiting.size() >= MAX_WAITING || bytes + size > maxBytes || waiting.containsKey(id)) {
            return false;
        }
        waiting.put(id, new Waiting(size, nanos));
        bytes += size;
        return true;
    }

    /** None waits any more. */
    synchronized void forget() {
        waiting.clear();
        bytes = 0;
    }

    synchronized void executed(RequestId id) {
        Waiting done = waiting.remove(id);
        if (done != null) {
            bytes -= done.bytes();
        }
    }
}

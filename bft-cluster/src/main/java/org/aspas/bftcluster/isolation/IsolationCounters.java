package org.aspas.bftcluster.isolation;

import java.util.Map;
import org.aspas.bftcluster.frame.RefusalReason;

/**
 * What an isolation layer has done since it was made.
 *
 * @param framesIn frames of peers that the library got
 * @param framesOut frames of the library that went to a peer's link
 * @param framesLost frames of either direction that found no connection or no room
 * @param framesTooLong frames of the library that no link carries, and that were left out
 * @param requestsIn requests of peers that the library got
 * @param requestsOutOfTurn requests of peers that were not the next of their session, as after a lost one
 * @param requestsDiscarded requests, also own ones, for which the library had no room
 * @param handshakesRefused handshakes that were not the peer's
 * @param refused frames of peers that were refused, by reason
 */
public record IsolationCounters(
        long framesIn,
        long framesOut,
        long framesLost,
        long framesTooLong,
        long requestsIn,
        long requestsRefused,
        long requestsOutOfTurn,
        long requestsDiscarded,
        long handshakesRefused,
        Map<RefusalReason, Long> refused) {
    public IsolationCounters {
        refused = Map.copyOf(refused);
    }

    /** How much was refused or discarded, whatever it was, and not only because a peer was away. */
    public long troubles() {
        return framesRefused()
                + framesTooLong
                + requestsRefused
                + requestsOutOfTurn
                + requestsDiscarded
                + handshakesRefused;
    }

    public long framesRefused() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }
}

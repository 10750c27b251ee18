package org.aspas.client.core.step;

import java.util.TreeMap;
import org.aspas.certify.bound.BoundedMap;
import org.aspas.certify.wire.Refusal;

/**
 * What servers refuse to do with objects: a refusal that f+1 servers gave in the last ten minutes, of which one is correct, is
 * believed at once. So calls that all servers refuse move a client once, and not once for each call. For one thread.
 */
final class RefusedObjects {
    private static final int REMEMBERED = 1_024;
    private static final long KEPT_MILLIS = 600_000;

    private record Refused(String key, String type, Object what, Refusal.Reason reason) {}

    /** When each server last said so. */
    private final BoundedMap<Refused, TreeMap<Integer, Long>> said = new BoundedMap<>(REMEMBERED);

    /** How many servers say so, this one among them. */
    int refused(int server, long now, String key, String type, Object what, Refusal.Reason reason) {
        TreeMap<Integer, Long> by = said.computeIfAbsent(new Refused(key, type, what, reason), any -> new TreeMap<>());
        by.values().removeIf(at -> now - at >= KEPT_MILLIS);
        by.put(server, now);
        return by.size();
    }
}

package org.aspas.appserver.core;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.crdt.clock.VersionVector;

/**
 * A picture of an appserver for readiness, status and metrics. Immutable; may be handed to any thread.
 *
 * @param version what is delivered, of every origin
 * @param certificate the number of the newest adopted certificate; 0 before the first
 * @param certified the version of that certificate; zeros before the first
 * @param gauges present sizes by name, such as {@code objects}, {@code sessions}, {@code pending_entries}
 * @param counters events since the start by name, such as {@code refused_bad_signature}
 * @param caughtUp whether everything that peers told of is delivered and every certificate that they told of is adopted
 * @param ready whether the server can vouch for its state: false from an alarm about its own state until repair
 */
public record CoreStatus(
        VersionVector version,
        long certificate,
        VersionVector certified,
        SortedMap<String, Long> gauges,
        SortedMap<String, Long> counters,
        boolean caughtUp,
        boolean ready) {
    /** Copies the maps. */
    public CoreStatus {
        gauges = Collections.unmodifiableSortedMap(new TreeMap<>(gauges));
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }
}

package org.aspas.appserver.core.state;

import java.util.SortedMap;
import java.util.TreeMap;

/** Counts of what happened, by name. For the core's parts; for one thread. */
public final class Counters {
    private final TreeMap<String, Long> counts = new TreeMap<>();

    public void count(String name) {
        add(name, 1);
    }

    public void add(String name, long number) {
        counts.merge(name, number, Long::sum);
    }

    /** A copy of all counts. */
    public SortedMap<String, Long> snapshot() {
        return new TreeMap<>(counts);
    }
}

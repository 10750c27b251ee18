package org.aspas.emulab.workload;

import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** What the servers acknowledged during a run, object by object. Thread-safe. */
public final class Ledger {
    private final ConcurrentMap<String, LongAdder> counters = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Set<String>> sets = new ConcurrentHashMap<>();

    public void incremented(String key, long amount) {
        counters.computeIfAbsent(key, unused -> new LongAdder()).add(amount);
    }

    public void added(String key, String element) {
        sets.computeIfAbsent(key, unused -> ConcurrentHashMap.newKeySet()).add(element);
    }

    /** Every counter touched, with the sum of its acknowledged increments. */
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> copy = new TreeMap<>();
        counters.forEach((key, sum) -> copy.put(key, sum.sum()));
        return copy;
    }

    /** Every set touched, with the elements acknowledged as added. */
    public SortedMap<String, Set<String>> sets() {
        SortedMap<String, Set<String>> copy = new TreeMap<>();
        sets.forEach((key, elements) -> copy.put(key, new TreeSet<>(elements)));
        return copy;
    }
}

package org.aspas.emulab.sim.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order in which the updates of one certificate are counted (docs/formats.md §6): each time the next entry of the
 * lowest origin whose next entry depends on none of the entries that are left.
 */
final class CanonicalSequence {
    private CanonicalSequence() {}

    /** The entries in that order; those that wait for each other, and what depends on them, are left out. */
    static List<PlacedEntry> of(Collection<PlacedEntry> entries) {
        SortedMap<Integer, Deque<PlacedEntry>> left = new TreeMap<>();
        entries.stream()
                .sorted(Comparator.comparingLong(entry -> entry.dot().sequence()))
                .forEach(entry -> left.computeIfAbsent(entry.dot().origin(), any -> new ArrayDeque<>())
                        .add(entry));
        List<PlacedEntry> ordered = new ArrayList<>(entries.size());
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Deque<PlacedEntry> log : left.values()) {
                if (!log.isEmpty() && waitsForNone(log.getFirst(), left)) {
                    ordered.add(log.removeFirst());
                    moved = true;
                    break;
                }
            }
        }
        return ordered;
    }

    private static boolean waitsForNone(PlacedEntry entry, SortedMap<Integer, Deque<PlacedEntry>> left) {
        return left.entrySet().stream()
                .filter(log ->
                        log.getKey() != entry.dot().origin() && !log.getValue().isEmpty())
                .noneMatch(log -> entry.observed(log.getValue().getFirst().dot()));
    }
}

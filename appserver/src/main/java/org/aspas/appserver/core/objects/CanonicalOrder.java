package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.message.Entry;

/**
 * The one order in which all servers apply the entries of a certificate (docs/formats.md, §6): each time the next entry of
 * the lowest origin whose next entry depends on none of the entries that are left. It extends causality also where an entry
 * names less than what its own dependencies name, as a lying origin may, and where it names entries of an excluded origin
 * beyond the cut, as a correct one may that saw them.
 */
final class CanonicalOrder {
    private final List<Deque<Entry>> left;
    private final int total;

    private CanonicalOrder(Collection<Entry> entries) {
        TreeMap<Integer, List<Entry>> origins = new TreeMap<>();
        for (Entry entry : entries) {
            origins.computeIfAbsent(entry.dot().origin(), any -> new ArrayList<>())
                    .add(entry);
        }
        this.left = new ArrayList<>(origins.size());
        for (List<Entry> log : origins.values()) {
            log.sort(Comparator.comparingLong(entry -> entry.dot().sequence()));
            left.add(new ArrayDeque<>(log));
        }
        this.total = entries.size();
    }

    /**
     * The entries in canonical order.
     *
     * @param entries delivered ones, so that no two wait for each other, in any order
     */
    static List<Entry> of(Collection<Entry> entries) {
        return new CanonicalOrder(entries).all();
    }

    private List<Entry> all() {
        List<Entry> ordered = new ArrayList<>(total);
        while (ordered.size() < total) {
            ordered.add(next());
        }
        return ordered;
    }

    private Entry next() {
        for (Deque<Entry> log : left) {
            Entry first = log.peekFirst();
            if (first != null && ready(first)) {
                return log.removeFirst();
            }
        }
        throw new IllegalStateException("entries wait for each other: "
                + left.stream()
                        .filter(log -> !log.isEmpty())
                        .map(log -> log.getFirst().dot())
                        .toList());
    }

    private boolean ready(Entry entry) {
        for (Deque<Entry> log : left) {
            Entry other = log.peekFirst();
            if (other != null
                    && other.dot().origin() != entry.dot().origin()
                    && entry.dependencies().covers(other.dot())) {
                return false;
            }
        }
        return true;
    }
}

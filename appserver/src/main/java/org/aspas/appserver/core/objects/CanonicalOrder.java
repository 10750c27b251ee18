package org.aspas.appserver.core.objects;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.message.Entry;

/**
 * The one order in which all servers apply the entries of a certificate (docs/formats.md, §6): each time the next entry of
 * the lowest origin whose next entry depends on none of the entries that are left. It extends causality also where an entry
 * names less than what its own dependencies name, as a lying origin may, and where it names entries of an excluded origin
 * beyond the cut, as a correct one may that saw them. It ends where all that are left wait for each other: an origin that forked its
 * log can make such a circle, together with an entry of a correct server that saw the other branch. What is ordered is
 * the same whatever is chosen first, and leaves out nothing that it depends on.
 */
final class CanonicalOrder {
    private final List<Deque<Entry>> left;

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
    }

    /**
     * The entries in canonical order, without those that wait for each other and those that wait for these: of every
     * origin's the first ones, and fewer than all only if some are in a circle, which nobody who delivered from these
     * logs has delivered.
     *
     * @param entries consecutive ones of each origin, in any order
     */
    static List<Entry> of(Collection<Entry> entries) {
        return new CanonicalOrder(entries).all();
    }

    private List<Entry> all() {
        List<Entry> ordered = new ArrayList<>();
        for (Optional<Entry> next = next(); next.isPresent(); next = next()) {
            ordered.add(next.get());
        }
        return ordered;
    }

    private Optional<Entry> next() {
        for (Deque<Entry> log : left) {
            Entry first = log.peekFirst();
            if (first != null && ready(first)) {
                return Optional.of(log.removeFirst());
            }
        }
        return Optional.empty();
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

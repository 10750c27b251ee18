package org.aspas.appserver.core.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.certify.wire.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The one order in which all servers apply the entries of a certificate (docs/formats.md, §6): each time the next entry of
 * the lowest origin whose next entry depends on none of the entries that are left. It extends causality also where an entry
 * names less than what its own dependencies name, as a lying origin may, and where it names entries of an excluded origin
 * beyond the cut, as a correct one may that saw them. It ends where all that are left wait for each other: an origin that forked its
 * log can make such a circle, together with an entry of a correct server that saw the other branch. What is ordered is
 * the same whatever is chosen first, and leaves out nothing that it depends on.
 */
final class CanonicalOrder {
    /** An origin's entries that are left, and why its next one is not taken yet. */
    private static final class Queue {
        final List<Entry> entries = new ArrayList<>();
        int taken;
        /** The queues before this one do not hold the next entry back; what does not once never does, for queues only shrink. */
        int checked;

        @Nullable
        Entry next() {
            return taken < entries.size() ? entries.get(taken) : null;
        }
    }

    private final List<Queue> queues;
    /** For each queue, those whose next entry depends on its next one. */
    private final List<List<Integer>> waiting = new ArrayList<>();
    /** The queues whose next entry depends on none that is left. */
    private final TreeSet<Integer> ready = new TreeSet<>();

    private CanonicalOrder(Collection<Entry> entries) {
        TreeMap<Integer, Queue> origins = new TreeMap<>();
        for (Entry entry : entries) {
            origins.computeIfAbsent(entry.dot().origin(), any -> new Queue())
                    .entries
                    .add(entry);
        }
        this.queues = List.copyOf(origins.values());
        for (Queue queue : queues) {
            queue.entries.sort(Comparator.comparingLong(entry -> entry.dot().sequence()));
            waiting.add(new ArrayList<>());
        }
    }

    /**
     * The entries in canonical order, without those that wait for each other and those that wait for these: of every
     * origin's the first ones, and fewer than all only if some are in a circle, which nobody who delivered from these
     * logs has delivered. Looks at each entry once for each origin.
     *
     * @param entries consecutive ones of each origin, in any order
     */
    static List<Entry> of(Collection<Entry> entries) {
        return new CanonicalOrder(entries).all(entries.size());
    }

    private List<Entry> all(int size) {
        List<Entry> ordered = new ArrayList<>(size);
        for (int queue = 0; queue < queues.size(); queue++) {
            check(queue);
        }
        for (Integer first = ready.pollFirst(); first != null; first = ready.pollFirst()) {
            Queue queue = queues.get(first);
            ordered.add(queue.entries.get(queue.taken++));
            queue.checked = 0;
            List<Integer> held = waiting.get(first);
            waiting.set(first, new ArrayList<>());
            check(first);
            held.forEach(this::check);
        }
        return ordered;
    }

    /** Looks for what holds the next entry of a queue back, from where it was found the last time. */
    private void check(int index) {
        Queue queue = queues.get(index);
        Entry next = queue.next();
        if (next == null) {
            return;
        }
        for (; queue.checked < queues.size(); queue.checked++) {
            Entry other = queues.get(queue.checked).next();
            if (queue.checked != index && other != null && next.dependencies().covers(other.dot())) {
                waiting.get(queue.checked).add(index);
                return;
            }
        }
        ready.add(index);
    }
}

package org.aspas.crdt.polog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * Which parts of a log hold something that an operation has observed, found at a cost in proportion to how much that is.
 * Mutable, and copied at no cost; for one thread.
 */
final class DotIndex {
    private record Place(long sequence, Value part) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int bySequence = Long.compare(sequence, other.sequence);
            return bySequence != 0 ? bySequence : part.compareTo(other.part);
        }
    }

    private final Map<Integer, PersistentMap<Place, Value>> places;

    DotIndex() {
        this(new TreeMap<>());
    }

    private DotIndex(Map<Integer, PersistentMap<Place, Value>> places) {
        this.places = places;
    }

    DotIndex copy() {
        return new DotIndex(new TreeMap<>(places));
    }

    void add(Value part, List<LoggedOperation> stored) {
        for (LoggedOperation each : stored) {
            for (Dot dot : each.dots()) {
                PersistentMap<Place, Value> ofOrigin = places.getOrDefault(dot.origin(), PersistentMap.empty());
                places.put(dot.origin(), ofOrigin.with(new Place(dot.sequence(), part), part));
            }
        }
    }

    void remove(Value part, List<LoggedOperation> stored) {
        for (LoggedOperation each : stored) {
            for (Dot dot : each.dots()) {
                places.computeIfPresent(
                        dot.origin(), (origin, before) -> before.without(new Place(dot.sequence(), part)));
            }
        }
    }

    /** The parts with an operation of which the dependencies cover a dot. */
    List<Value> observed(VersionVector dependencies) {
        TreeSet<Value> parts = new TreeSet<>();
        places.forEach((origin, ofOrigin) -> {
            long covered = origin < dependencies.size() ? dependencies.get(origin) : 0;
            ofOrigin.visit((place, part) -> {
                boolean within = place.sequence() <= covered;
                if (within) {
                    parts.add(part);
                }
                return within;
            });
        });
        return new ArrayList<>(parts);
    }
}

package org.aspas.crdt.polog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;

/**
 * Which parts of a log hold something that an operation has observed, found at a cost in proportion to how much that is.
 * Mutable; for one thread.
 */
final class DotIndex {
    private record Place(long sequence, Value part) {
        static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::sequence).thenComparing(Place::part);
    }

    private final Map<Integer, TreeSet<Place>> places = new TreeMap<>();

    void add(Value part, List<LoggedOperation> stored) {
        for (LoggedOperation each : stored) {
            for (Dot dot : each.dots()) {
                places.computeIfAbsent(dot.origin(), any -> new TreeSet<>(Place.ORDER))
                        .add(new Place(dot.sequence(), part));
            }
        }
    }

    /** Takes out all that a part holds. */
    void remove(Value part, List<LoggedOperation> stored) {
        for (LoggedOperation each : stored) {
            for (Dot dot : each.dots()) {
                SortedSet<Place> ofOrigin = places.getOrDefault(dot.origin(), new TreeSet<>(Place.ORDER));
                ofOrigin.remove(new Place(dot.sequence(), part));
            }
        }
    }

    /** The parts with an operation of which the dependencies cover a dot. */
    List<Value> observed(VersionVector dependencies) {
        TreeSet<Value> parts = new TreeSet<>();
        places.forEach((origin, ofOrigin) -> {
            long covered = origin < dependencies.size() ? dependencies.get(origin) : 0;
            for (Place place : ofOrigin) {
                if (place.sequence() > covered) {
                    break;
                }
                parts.add(place.part());
            }
        });
        return new ArrayList<>(parts);
    }
}

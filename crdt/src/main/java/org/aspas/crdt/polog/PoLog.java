package org.aspas.crdt.polog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A compacted, partially ordered log (arXiv:1710.04469, figure 10).
 *
 * <p>A delivered operation first erases every stored operation that it makes redundant; then it is stored,
 * unless it is redundant itself.
 *
 * <p>The log is divided into parts ({@link Redundancy#part}), and a delivery costs time in proportion to the part
 * that it touches. An operation that touches every part costs time in proportion to the parts of which it has
 * observed something, except for the first such operation, which builds the index.
 * A copy takes constant time: it shares all parts, and changing either log costs O(log n) nodes for each part that changes.
 *
 * <p>Timestamps are never dropped. The paper drops those that are causally stable (definition 5.1); what is
 * certified is not, since a server outside the quorum may still issue operations concurrent with it.
 *
 * <p>Mutable; for one thread.
 */
public final class PoLog {

    private static final int DOT_BYTES = 16;

    private final Redundancy redundancy;
    private PersistentMap<Value, List<LoggedOperation>> parts = PersistentMap.empty();
    private long bytes;

    /** Made by the first operation that needs it. */
    private @Nullable DotIndex index;

    public PoLog(Redundancy redundancy) {
        this.redundancy = redundancy;
    }

    public PoLog copy() {
        PoLog copy = new PoLog(redundancy);
        copy.parts = parts;
        copy.bytes = bytes;
        copy.index = index == null ? null : index.copy();
        return copy;
    }

    /**
     * Returns the size of the stored operations in bytes: for each operation {@value #DOT_BYTES}, {@value #DOT_BYTES} more for
     * each of its dots, and its arguments: {@value Long#BYTES} for an integer, otherwise the bytes of the text (in UTF-8) or byte
     * string.
     */
    public long bytes() {
        return bytes;
    }

    /** Returns the size of one part, measured in the same way, in time proportional to the operations in it. */
    public long bytesOf(Value part) {
        return bytes(part(part));
    }

    /**
     * Applies the effect of an operation. Each operation must be delivered once, after all that it depends on.
     *
     * @return the parts in which something may have changed
     */
    public List<Value> deliver(Tagged arriving) {
        List<Value> touched = redundancy
                .part(arriving.operation())
                .map(List::of)
                .orElseGet(() -> index().observed(arriving.dependencies()));
        for (Value part : touched) {
            eraseRedundant(part, arriving);
        }
        if (!redundancy.redundant(arriving.operation())) {
            store(new LoggedOperation(List.of(arriving.dot()), arriving.operation()));
        }
        return touched;
    }

    /**
     * Stores an operation without erasing anything, to restore an encoded state.
     *
     * @throws IllegalArgumentException if the operation belongs to no part
     */
    public void store(LoggedOperation logged) {
        Value part = redundancy
                .part(logged.operation())
                .orElseThrow(() -> new IllegalArgumentException("cannot be stored: " + logged.operation()));
        List<LoggedOperation> extended = new ArrayList<>(part(part));
        int position = Collections.binarySearch(extended, logged);
        if (position < 0) {
            extended.add(-position - 1, logged);
            put(part, List.copyOf(extended));
        }
    }

    private DotIndex index() {
        DotIndex made = index;
        if (made == null) {
            made = new DotIndex();
            forEachPart(made::add);
            index = made;
        }
        return made;
    }

    private void put(Value part, List<LoggedOperation> now) {
        List<LoggedOperation> before = part(part);
        parts = now.isEmpty() ? parts.without(part) : parts.with(part, now);
        bytes += bytes(now) - bytes(before);
        if (parts.size() == 0) {
            index = null;
        } else if (index != null) {
            index.remove(part, before);
            index.add(part, now);
        }
    }

    private static long bytes(List<LoggedOperation> stored) {
        long sum = 0;
        for (LoggedOperation each : stored) {
            sum += DOT_BYTES * (1L + each.dots().size())
                    + bytes(Value.sequence(each.operation().arguments()));
        }
        return sum;
    }

    private static long bytes(Value value) {
        if (value instanceof Value.Text text) {
            return text.value().getBytes(StandardCharsets.UTF_8).length;
        }
        if (value instanceof Value.Blob blob) {
            return blob.length();
        }
        return value instanceof Value.Sequence items
                ? items.items().stream().mapToLong(PoLog::bytes).sum()
                : Long.BYTES;
    }

    /**
     * Adds {@code another} to the dots of the stored operation that has {@code known}; does nothing when there is none.
     *
     * @return the parts in which something may have changed
     */
    public List<Value> alias(Operation operation, Dot known, Dot another) {
        List<Value> touched = redundancy.part(operation).map(List::of).orElse(List.of());
        for (Value part : touched) {
            List<LoggedOperation> stored = part(part);
            if (stored.stream().anyMatch(each -> each.dots().contains(known))) {
                put(
                        part,
                        stored.stream()
                                .map(each -> each.dots().contains(known) ? each.with(another) : each)
                                .sorted()
                                .toList());
            }
        }
        return touched;
    }

    /** Returns the number of parts that have any operation. */
    public int size() {
        return parts.size();
    }

    /** Returns the operations of a part in canonical order; empty when it has none. */
    public List<LoggedOperation> part(Value part) {
        List<LoggedOperation> stored = parts.get(part);
        return stored == null ? List.of() : stored;
    }

    /** Calls the visitor with each non-empty part, in ascending order, and its operations in canonical order. */
    public void forEachPart(BiConsumer<Value, List<LoggedOperation>> visitor) {
        parts.visit((part, stored) -> {
            visitor.accept(part, stored);
            return true;
        });
    }

    private void eraseRedundant(Value part, Tagged arriving) {
        List<LoggedOperation> stored = part(part);
        List<LoggedOperation> kept = new ArrayList<>(stored.size());
        for (LoggedOperation each : stored) {
            boolean observed = arriving.observedAny(each.dots());
            if (!redundancy.makesRedundant(arriving.operation(), each.operation(), observed)) {
                kept.add(each);
            }
        }
        if (kept.size() < stored.size()) {
            put(part, List.copyOf(kept));
        }
    }

    @Override
    public String toString() {
        StringJoiner all = new StringJoiner(", ", "{", "}");
        forEachPart((part, stored) -> all.add(part + "=" + stored));
        return all.toString();
    }

    /**
     * Which parts of a log hold something that an operation has observed, found at a cost in proportion to how much that is.
     * Mutable, and copied at no cost; for one thread.
     */
    private static final class DotIndex {
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
}

package org.aspas.crdt.polog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * A compacted, partially ordered log (arXiv:1710.04469, figure 10).
 *
 * <p>The effect of a delivered operation is: first every stored operation that it makes redundant is
 * erased from the log; then it is stored unless it is redundant itself.
 * The log is divided into parts ({@link Redundancy#part}), and a delivery costs in proportion to the part
 * that it touches. One that touches every part costs in proportion to the parts of which it has observed
 * something, but for the first, which makes the index for that.
 *
 * <p>Timestamps are never dropped. The paper drops those that are causally stable (definition 5.1); what is
 * certified is not, since a server outside the quorum may still issue operations concurrent with it.
 *
 * <p>Mutable; for one thread.
 */
public final class PoLog {

    private static final int DOT_BYTES = 16;

    private final Redundancy redundancy;
    private final TreeMap<Value, List<LoggedOperation>> parts;
    private long bytes;

    /** Made by the first operation that needs it. */
    private @Nullable DotIndex index;

    /** Makes an empty log. */
    public PoLog(Redundancy redundancy) {
        this(redundancy, new TreeMap<>(), 0);
    }

    private PoLog(Redundancy redundancy, TreeMap<Value, List<LoggedOperation>> parts, long bytes) {
        this.redundancy = redundancy;
        this.parts = parts;
        this.bytes = bytes;
    }

    /** Returns an independent copy; the parts themselves are immutable and shared. */
    public PoLog copy() {
        return new PoLog(redundancy, new TreeMap<>(parts), bytes);
    }

    /**
     * The size of what is stored: for each operation {@value #DOT_BYTES} and as many for each of its dots, and
     * its arguments: {@value Long#BYTES} for an integer, else the bytes of the text (in UTF-8) or byte string.
     */
    public long bytes() {
        return bytes;
    }

    /** Applies the effect of an operation, which must be delivered once and after all that it depends on. */
    public void deliver(Tagged arriving) {
        Optional<Value> part = redundancy.part(arriving.operation());
        if (part.isPresent()) {
            eraseRedundant(part.get(), arriving);
        } else {
            for (Value each : index().observed(arriving.dependencies())) {
                eraseRedundant(each, arriving);
            }
        }
        if (!redundancy.redundant(arriving.operation())) {
            store(new LoggedOperation(List.of(arriving.dot()), arriving.operation()));
        }
    }

    /**
     * Stores an operation as it stands, without erasing anything: the way back from an encoded state.
     *
     * @throws IllegalArgumentException if the operation belongs to no part
     */
    public void store(LoggedOperation logged) {
        Value part = redundancy
                .part(logged.operation())
                .orElseThrow(() -> new IllegalArgumentException("cannot be stored: " + logged.operation()));
        List<LoggedOperation> extended = new ArrayList<>(parts.getOrDefault(part, List.of()));
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
            parts.forEach(made::add);
            index = made;
        }
        return made;
    }

    /** Replaces what a part holds. */
    private void put(Value part, List<LoggedOperation> now) {
        List<LoggedOperation> before = parts.getOrDefault(part, List.of());
        if (now.isEmpty()) {
            parts.remove(part);
        } else {
            parts.put(part, now);
        }
        bytes += bytes(now) - bytes(before);
        if (index != null) {
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
     * Adds a dot to the stored operation that has another one; nothing happens when there is none.
     *
     * @param operation the stored operation, which names the part
     * @param known a dot that it has
     * @param another the dot to add
     */
    public void alias(Operation operation, Dot known, Dot another) {
        redundancy.part(operation).ifPresent(part -> {
            List<LoggedOperation> stored = parts.getOrDefault(part, List.of());
            if (stored.stream().anyMatch(each -> each.dots().contains(known))) {
                put(
                        part,
                        stored.stream()
                                .map(each -> each.dots().contains(known) ? each.with(another) : each)
                                .sorted()
                                .toList());
            }
        });
    }

    /** Returns an unmodifiable, live view: for each part that has any, its operations in canonical order. */
    public SortedMap<Value, List<LoggedOperation>> parts() {
        return Collections.unmodifiableSortedMap(parts);
    }

    private void eraseRedundant(Value part, Tagged arriving) {
        List<LoggedOperation> stored = parts.getOrDefault(part, List.of());
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
        return parts.toString();
    }
}

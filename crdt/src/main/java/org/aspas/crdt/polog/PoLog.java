package org.aspas.crdt.polog;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.BiConsumer;
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
 * A copy costs nothing: it shares all parts, and changing either costs O(log n) nodes for each part that changes.
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
     * The size of what is stored: for each operation {@value #DOT_BYTES} and as many for each of its dots, and
     * its arguments: {@value Long#BYTES} for an integer, else the bytes of the text (in UTF-8) or byte string.
     */
    public long bytes() {
        return bytes;
    }

    /** The size of one part, counted in the same way; at a cost in proportion to the operations in it. */
    public long bytesOf(Value part) {
        return bytes(part(part));
    }

    /**
     * Applies the effect of an operation, which must be delivered once and after all that it depends on.
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
     * Stores an operation as it stands, without erasing anything: the way back from an encoded state.
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

    /** The number of parts that have any operation. */
    public int size() {
        return parts.size();
    }

    /** The operations of a part in canonical order; none when it has none. */
    public List<LoggedOperation> part(Value part) {
        List<LoggedOperation> stored = parts.get(part);
        return stored == null ? List.of() : stored;
    }

    /** Shows each part that has any operation, parts ascending, with its operations in canonical order. */
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
}

package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.type.Crdt;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/**
 * All objects of a replica, with what the operations of this epoch did to them, and how they were before it.
 *
 * <p>An operation takes effect once all that it depends on has. Operations of which neither depends on the other commute, so
 * that replicas which have executed the same set in any such order have the same objects. Not thread-safe.
 */
final class EpochObjects {
    private record Name(String key, String type) {}

    private final Map<Name, Crdt> live = new HashMap<>();
    private final Map<Name, Optional<Crdt>> before = new HashMap<>();
    private final List<ArrayDeque<SharedOperation>> waiting = new ArrayList<>();
    private final long[] delivered;

    EpochObjects(int replicas) {
        this.delivered = new long[replicas];
        for (int origin = 0; origin < replicas; origin++) {
            waiting.add(new ArrayDeque<>());
        }
    }

    /** What has taken effect, of each origin since the beginning. */
    VersionVector delivered() {
        return VersionVector.of(delivered);
    }

    /** Takes the next operation of an origin. */
    void take(SharedOperation operation) {
        waiting.get(operation.origin()).add(operation);
        deliver(VersionVector.of(unbounded()));
    }

    private long[] unbounded() {
        long[] bound = new long[delivered.length];
        Arrays.fill(bound, Long.MAX_VALUE);
        return bound;
    }

    /** Brings about what is ready; dependencies count as far as to the bound. */
    private void deliver(VersionVector bound) {
        boolean more = true;
        while (more) {
            more = false;
            for (ArrayDeque<SharedOperation> queue : waiting) {
                while (!queue.isEmpty() && ready(queue.element(), bound)) {
                    apply(queue.remove());
                    more = true;
                }
            }
        }
    }

    private boolean ready(SharedOperation operation, VersionVector bound) {
        for (int origin = 0; origin < delivered.length; origin++) {
            if (delivered[origin] < Math.min(operation.dependencies().get(origin), bound.get(origin))) {
                return false;
            }
        }
        return true;
    }

    private void apply(SharedOperation operation) {
        Name name = new Name(operation.key(), operation.type());
        Optional<DataType> type = DataTypes.byName(operation.type());
        type.ifPresent(known -> {
            before.computeIfAbsent(
                    name, any -> Optional.ofNullable(live.get(any)).map(Crdt::copy));
            live.computeIfAbsent(name, any -> known.empty()).apply(operation.tagged());
        });
        delivered[operation.origin()] = operation.sequence();
    }

    /** The value of an object as this replica has it; empty if there is no such datatype. */
    Optional<Value> value(String key, String type) {
        Crdt object = live.get(new Name(key, type));
        return object != null
                ? Optional.of(object.value())
                : DataTypes.byName(type).map(known -> known.empty().value());
    }

    /** Whether some operation still waits for what it depends on. */
    boolean anyWaiting() {
        return waiting.stream().anyMatch(queue -> !queue.isEmpty());
    }

    /** Ends the epoch with all that took effect in it. */
    void keep() {
        before.clear();
    }

    /**
     * Ends the epoch with exactly these operations: undoes all, and executes them again. An operation that depends on one that
     * is not among them takes effect without it; those of faulty origins that wait for each other come last.
     *
     * @param agreed the operations, by origin
     */
    void replay(VersionVector base, VersionVector cut, List<List<SharedOperation>> agreed) {
        before.forEach((name, object) -> object.ifPresentOrElse(old -> live.put(name, old), () -> live.remove(name)));
        before.clear();
        for (int origin = 0; origin < delivered.length; origin++) {
            delivered[origin] = base.get(origin);
            waiting.get(origin).clear();
            waiting.get(origin).addAll(agreed.get(origin));
        }
        deliver(cut);
        waiting.forEach(queue -> {
            queue.forEach(this::apply);
            queue.clear();
        });
        before.clear();
    }
}

package org.aspas.bftcluster.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.machine.OrderedMachine;

/**
 * What a replica keeps of the order so that others can catch up: snapshots of the machine, and all commands after the
 * oldest of them. It takes a snapshot after every so many consensus instances, and sooner when the commands since the
 * last one are long. When it does so follows from the commands alone. So for one position all correct replicas give the
 * same bytes, and equal bytes from b+1 replicas are right. Thread-safe.
 */
final class OrderLog {
    /** The position before the first consensus instance. */
    static final int START = -1;

    /** Snapshots kept: a position stays available for at least this many periods less one. */
    private static final int SNAPSHOTS = 4;

    /** How many bytes of commands follow a snapshot at most before the next one is taken. */
    static final long MOST_BYTES = 8L << 20;

    private final OrderedMachine machine;
    private final int period;
    private final NavigableMap<Integer, byte[]> snapshots = new TreeMap<>();
    private final NavigableMap<Integer, List<byte[]>> commands = new TreeMap<>();
    private long bytes;
    private volatile int position = START;
    private volatile int incarnation = IncarnationCheck.NEW;

    OrderLog(OrderedMachine machine, int period) {
        this.machine = machine;
        this.period = period;
        snapshots.put(START, machine.snapshot());
    }

    /** The consensus instance up to which the machine has applied everything; {@link #START} before the first. */
    int position() {
        return position;
    }

    /**
     * What this incarnation of the order is called: the same at every replica in it, and in another incarnation, which begins after too
     * many replicas were lost at once, most likely another; {@link IncarnationCheck#NEW} before the first command.
     */
    int incarnation() {
        return incarnation;
    }

    /** Calls this incarnation after its first command, unless it has a name already. */
    synchronized void begins(int name) {
        if (incarnation == IncarnationCheck.NEW) {
            incarnation = name;
        }
    }

    /**
     * Notes that the machine has applied all commands of the next instance.
     *
     * @throws IllegalStateException when it is not the next one
     */
    synchronized void applied(int instance, List<byte[]> batch) {
        if (instance != position + 1) {
            throw new IllegalStateException("instance " + instance + " applied after " + position);
        }
        commands.put(instance, List.copyOf(batch));
        position = instance;
        bytes += batch.stream().mapToLong(command -> command.length).sum();
        if (instance > 0 && instance % period == 0 || bytes >= MOST_BYTES) {
            bytes = 0;
            snapshots.put(instance, machine.snapshot());
            while (snapshots.size() > SNAPSHOTS) {
                snapshots.pollFirstEntry();
            }
            commands.headMap(snapshots.firstKey(), true).clear();
        }
    }

    /** The state after an instance; empty when it is not reached yet or no longer kept. */
    synchronized Optional<TransferredState> upTo(int instance) {
        Map.Entry<Integer, byte[]> snapshot = snapshots.floorEntry(instance);
        if (snapshot == null || instance > position) {
            return Optional.empty();
        }
        List<List<byte[]>> batches = new ArrayList<>(
                commands.subMap(snapshot.getKey(), false, instance, true).values());
        return Optional.of(new TransferredState(incarnation, snapshot.getKey(), snapshot.getValue(), batches));
    }

    /**
     * Brings the machine and this log to a transferred state; has no effect when the machine is as far already.
     *
     * @throws IllegalArgumentException when the machine refuses the snapshot; nothing is changed then
     */
    synchronized void install(TransferredState state) {
        if (state.position() <= position) {
            return;
        }
        machine.restore(state.snapshot());
        snapshots.clear();
        commands.clear();
        bytes = 0;
        snapshots.put(state.snapshotPosition(), state.snapshot());
        position = state.snapshotPosition();
        incarnation = state.incarnation();
        for (List<byte[]> batch : state.batches()) {
            batch.forEach(machine::apply);
            applied(position + 1, batch);
        }
    }
}

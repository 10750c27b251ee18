package org.aspas.bftcluster.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.machine.OrderedMachine;

/**
 * What a replica keeps of the order so that others can catch up: snapshots of the machine at every so many consensus
 * instances, and sooner when the commands since the last one grow long, and the commands after the oldest snapshot kept.
 * When a snapshot is taken follows from the commands after the one before it, so it is the same at every replica. For one position every correct replica that has reached
 * it gives the same bytes, so that equal bytes from b+1 replicas are right. Thread-safe.
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
    private volatile int life = LifeWatch.NEW;

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
     * What this life of the order is called: the same at every replica in it, and in another life, which begins after too
     * many replicas were lost at once, most likely another; {@link LifeWatch#NEW} before the first command.
     */
    int life() {
        return life;
    }

    /** Calls this life after its first command, unless it has a name already. */
    synchronized void begins(int name) {
        if (life == LifeWatch.NEW) {
            life = name;
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
        return Optional.of(new TransferredState(life, snapshot.getKey(), snapshot.getValue(), batches));
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
        life = state.life();
        for (List<byte[]> batch : state.batches()) {
            batch.forEach(machine::apply);
            applied(position + 1, batch);
        }
    }
}

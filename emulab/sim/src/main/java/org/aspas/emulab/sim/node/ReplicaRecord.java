package org.aspas.emulab.sim.node;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.bftcluster.node.DurableRecord;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.replica.RecordState;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.DiskFaults.ProcessEnded;

/**
 * The durable record of a bftserver: the production {@link DurableRecord} on a disk that takes its time and fails as disks do.
 * An item is written in the middle of that time, and forced at its end. What the disk does not take is tried again until it
 * does, as the production writer does for a minute.
 */
public final class ReplicaRecord {
    private static final JournalLimits SMALL = new JournalLimits(32 << 10, DurableRecord.LIMITS.recordBytes());
    private static final JournalLimits LARGE = new JournalLimits(512 << 10, DurableRecord.LIMITS.recordBytes());
    /** How long after a failed attempt the next one is made, as in production. */
    private static final long PAUSE = 500 * Timeline.MILLI;

    private final World world;
    private final NodeId id;
    private final Hash deployment;
    private final long slowest;
    private final SeededRandom speed;
    private final JournalLimits limits;
    private final RecordDisk disk;
    private DurableRecord record;
    private String refusal = "";
    /** Whether the disk took nothing when it was last tried. */
    private boolean failed;
    /** What was handed to the record and is not told to be durable, in order. */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private boolean gone;
    private long process;
    private long lastForce;

    private record Waiting(Effect.Persist persist, long due, Consumer<Event> done) {}

    private interface DiskAction {
        void run() throws IOException;
    }

    /** A record as of the deployment's first day, on a disk whose writing takes up to this many microseconds. */
    ReplicaRecord(World world, NodeId id, Hash deployment, long slowest) {
        this.world = world;
        this.id = id;
        this.deployment = deployment;
        this.slowest = slowest;
        this.speed = world.chance().stream("record speed " + id);
        SeededRandom disks = world.chance().stream("record" + id);
        this.limits = disks.happens(0.5) ? SMALL : LARGE;
        this.disk = new RecordDisk(id.toString(), disks);
        try {
            DurableRecord.make(disk, deployment, id.index(), limits);
        } catch (IOException impossible) {
            throw new IllegalStateException(id + " has a disk that takes nothing", impossible);
        }
        this.record = read().orElseThrow();
    }

    /** The record as the disk has it; empty when it cannot be used. */
    private Optional<DurableRecord> read() {
        try {
            return Optional.of(DurableRecord.open(disk, deployment, id.index(), limits));
        } catch (RecordUnusableException refused) {
            refusal = String.valueOf(refused.getMessage());
        } catch (ProcessEnded ended) {
            refusal = "the process has ended";
        }
        return Optional.empty();
    }

    /**
     * A process begins with what the record holds. While the record cannot be used this is tried again, until it can, or
     * until the next crash.
     */
    void open(Consumer<RecordState> begin) {
        long mine = process;
        Optional<DurableRecord> opened = read();
        if (mine != process) {
            // It crashed while it read.
            return;
        }
        if (opened.isPresent()) {
            record = opened.get();
            gone = false;
            begin.accept(record.state().copy());
            return;
        }
        world.trace().remark(world.timeline().now(), id, refusal);
        world.timeline().after(Timeline.SECOND, () -> {
            if (mine == process) {
                open(begin);
            }
        });
    }

    void crash() {
        process++;
        failed = false;
        waiting.clear();
        disk.crash();
    }

    /** Writes an item, after those before it; the process, if it still runs then, is told what came of it. */
    void write(Effect.Persist persist, Consumer<Event> done) {
        long mine = process;
        long now = world.timeline().now();
        lastForce = Math.max(lastForce, now + speed.between(slowest / 10, slowest));
        world.timeline().at((now + lastForce) / 2, () -> {
            if (mine == process) {
                record.append(persist.item());
                carryOut(record::write);
            }
        });
        waiting.addLast(new Waiting(persist, lastForce, done));
        world.timeline().at(lastForce, () -> {
            if (mine == process && !failed) {
                force(mine);
            }
        });
    }

    /** What went wrong; what cannot be written is written with the next force. */
    private Optional<IOException> carryOut(DiskAction action) {
        try {
            action.run();
        } catch (IOException wrong) {
            return Optional.of(wrong);
        } catch (ProcessEnded ended) {
            return Optional.of(new IOException("the process has ended", ended));
        }
        return Optional.empty();
    }

    private void force(long mine) {
        Optional<IOException> wrong = carryOut(record::sync);
        if (mine != process) {
            return;
        }
        if (wrong.isEmpty()) {
            failed = false;
            tell(mine);
            return;
        }
        if (!failed) {
            failed = true;
            world.trace()
                    .remark(
                            world.timeline().now(),
                            id,
                            "the record cannot be written: " + wrong.get().getMessage());
        }
        world.timeline().after(PAUSE, () -> {
            if (mine == process) {
                force(mine);
            }
        });
    }

    /** The process may end while it is told. */
    private void tell(long mine) {
        while (mine == process
                && !waiting.isEmpty()
                && waiting.getFirst().due() <= world.timeline().now()) {
            Waiting durable = waiting.removeFirst();
            durable.done().accept(new Event.Persisted(durable.persist().ticket()));
        }
    }

    // ---- What is known of it, and happens to it ----

    public RecordDisk disk() {
        return disk;
    }

    /** What it holds, for a process that begins. */
    RecordState state() {
        return record.state().copy();
    }

    /** Whether it is complete: it holds all that the bftserver promised, or others taught it. */
    public boolean knowing() {
        return !gone && record.state().knowing();
    }

    /** Whether it cannot be written, so that the bftserver signs nothing until it can. */
    public boolean failed() {
        return failed;
    }

    /** Empties the disk of a bftserver that does not run now. */
    public void lose() {
        gone = true;
        disk.lose();
    }

    /**
     * The disk is damaged; the bftserver does not run now. What is damaged is noticed, or nothing that was durable is.
     *
     * @throws IllegalStateException when another record than before is read
     */
    public void damage() {
        Optional<List<Hash>> before = held();
        disk.damage();
        Optional<List<Hash>> after = held();
        if (after.isPresent() && !after.equals(before)) {
            throw new IllegalStateException(id + " took a damaged record");
        }
        gone = after.isEmpty();
    }

    /** The record's items, as a process that begins and ends would find them; empty when it would be refused. */
    private Optional<List<Hash>> held() {
        List<Hash> items = new ArrayList<>();
        List<DurableRecord> opened = new ArrayList<>();
        disk.faults().calmly(() -> {
            read().ifPresent(opened::add);
            opened.forEach(DurableRecord::close);
        });
        opened.forEach(whole -> whole.state().items().forEach(item -> items.add(Hash.sha256(item.toBytes()))));
        return opened.isEmpty() ? Optional.empty() : Optional.of(items);
    }

    /** Empties a disk whose record is too damaged to be used. */
    public void loseIfGone() {
        if (gone) {
            disk.lose();
        }
    }
}

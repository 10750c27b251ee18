package org.aspas.emulab.sim.node;

import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;
import org.aspas.bftcluster.node.FileRecord;
import org.aspas.bftcluster.node.RecordUnusableException;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.Event;
import org.aspas.certify.signer.RecordState;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * The durable record of a bftserver: the production {@link FileRecord} on a disk that takes its time and fails as disks do.
 * What waits to be written is lost when the process ends. What the disk does not take is tried again until it does, as the
 * production writer does for a minute.
 */
public final class ReplicaRecord {
    private static final long SMALL_RECORD = 300_000;
    /** How long after a failed attempt the next one is made, as in production. */
    private static final long PAUSE = 500 * Timeline.MILLI;

    private final World world;
    private final NodeId id;
    private final Hash deployment;
    private final long slowest;
    private final Chance speed;
    private final long compactAt;
    private final RecordDisk disk;
    private FileRecord file;
    private String refusal = "";
    /** Whether the disk took nothing when it was last tried. */
    private boolean failed;
    /** What has to be written after that, in order. */
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();

    private boolean gone;
    private long process;
    private long lastWrite;

    /** An empty record on a disk whose writing takes up to this many microseconds. */
    ReplicaRecord(World world, NodeId id, Hash deployment, long slowest) {
        this.world = world;
        this.id = id;
        this.deployment = deployment;
        this.slowest = slowest;
        this.speed = world.chance().stream("record speed " + id);
        Chance disks = world.chance().stream("record" + id);
        this.compactAt = disks.happens(0.5) ? SMALL_RECORD : FileRecord.COMPACT_AT;
        this.disk = new RecordDisk(id + "/" + FileRecord.NAME, disks);
        this.file = read().orElseThrow();
    }

    /** The record as the disk has it; empty when it cannot be used. */
    private Optional<FileRecord> read() {
        try {
            return Optional.of(FileRecord.open(disk, deployment, id.index(), compactAt));
        } catch (RecordUnusableException refused) {
            refusal = String.valueOf(refused.getMessage());
            return Optional.empty();
        }
    }

    /**
     * A process begins with what the record holds. While the record cannot be used this is tried again, until it can, or
     * until the next crash.
     */
    void open(Consumer<RecordState> begin) {
        long mine = process;
        Optional<FileRecord> opened = read();
        if (mine != process) {
            // It crashed while it read.
            return;
        }
        if (opened.isPresent()) {
            file = opened.get();
            gone = false;
            begin.accept(file.state().copy());
            return;
        }
        world.trace().remark(world.timeline().now(), id, refusal);
        world.timeline().after(Timeline.SECOND, () -> {
            if (mine == process) {
                open(begin);
            }
        });
    }

    /** The process ends. */
    void crash() {
        process++;
        failed = false;
        waiting.clear();
    }

    /** Writes an item, after those before it; the process, if it still runs then, is told what came of it. */
    void write(Effect.Persist persist, Consumer<Event> done) {
        long mine = process;
        lastWrite = Math.max(lastWrite, world.timeline().now() + speed.between(slowest / 10, slowest));
        world.timeline().at(lastWrite, () -> {
            if (mine == process) {
                waiting.addLast(() -> append(mine, persist, done));
                writeWaiting(mine);
            }
        });
    }

    private void writeWaiting(long mine) {
        while (mine == process && !failed && !waiting.isEmpty()) {
            waiting.removeFirst().run();
        }
    }

    private void append(long mine, Effect.Persist persist, Consumer<Event> done) {
        try {
            file.append(persist.item());
            durable(mine, persist, done);
        } catch (UncheckedIOException cause) {
            if (mine == process) {
                failed = true;
                world.trace().remark(world.timeline().now(), id, String.valueOf(cause.getMessage()));
                world.timeline().after(PAUSE, () -> recover(mine, persist, done));
            }
        }
    }

    private void recover(long mine, Effect.Persist persist, Consumer<Event> done) {
        if (mine != process) {
            return;
        }
        try {
            file.recover();
            failed = false;
            durable(mine, persist, done);
            writeWaiting(mine);
        } catch (UncheckedIOException still) {
            world.timeline().after(PAUSE, () -> recover(mine, persist, done));
        }
    }

    /** The process may have ended when the item was durable. */
    private void durable(long mine, Effect.Persist persist, Consumer<Event> done) {
        if (mine == process) {
            done.accept(new Event.Persisted(persist.ticket()));
        }
    }

    // ---- What is known of it, and happens to it ----

    /** Whether it could be used if the bftserver started now. */
    public boolean readable() {
        return read().isPresent();
    }

    /** The disk. */
    public RecordDisk disk() {
        return disk;
    }

    /** Whether it is complete: it holds all that the bftserver promised, or others taught it. */
    public boolean knowing() {
        return !gone && file.state().knowing();
    }

    /** Whether it cannot be written, so that the bftserver signs nothing until it can. */
    public boolean failed() {
        return failed;
    }

    /** It is gone or damaged; the bftserver does not run now. */
    public void goes() {
        gone = true;
    }

    /** One that was damaged is moved away. */
    public void loseIfGone() {
        if (gone) {
            disk.lose();
        }
    }
}

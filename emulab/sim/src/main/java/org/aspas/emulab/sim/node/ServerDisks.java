package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.step.Ticket;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.jspecify.annotations.Nullable;

/** The disks of an appserver, one for each core. */
public final class ServerDisks {
    private final List<Disk> disks = new ArrayList<>();
    private final List<LeafDisk> leaves = new ArrayList<>();
    private long basesLost;

    /** Disks that are durable after so many microseconds at most; {@code os}: what is written survives the process, and is told at once. */
    ServerDisks(World world, NodeId server, int cores, long slowestMicros, boolean os) {
        for (int core = 0; core < cores; core++) {
            disks.add(new Disk(world.timeline(), world.chance().stream("disk" + server + core), slowestMicros, os));
            leaves.add(new LeafDisk(world.timeline(), world.chance().stream("leaves" + server + core), slowestMicros));
        }
    }

    /** The cores that start from what survived the last crash, by their own replay. */
    List<AppServerCore> cores(CoreSettings settings) {
        return disks.stream()
                .map(disk -> {
                    AppServerCore core = AppServerCore.recover(settings, disk.history(), disk.state());
                    if (core.status().counters().containsKey("bases_loaded")) {
                        disk.loaded();
                    }
                    return core;
                })
                .toList();
    }

    /** Appends a record of a core; true when it is durable at once, else the consumer is told its ticket or a later one. */
    boolean append(int core, Effect.Persist record, Consumer<Ticket> whom) {
        return disks.get(core).append(record.ticket(), record.record(), whom);
    }

    void keep(int core, Effect.Keep image) {
        disks.get(core).keep(image);
    }

    /** Keeps hashes of leaves of a core, or gives them back to the consumer. */
    void leaves(int core, Effect.OfLeaves effect, Consumer<Event.LeavesLoaded> whom) {
        leaves.get(core).carryOut(effect, whom);
    }

    /** The server ends in order: all that was written is durable, as far as there is room. */
    void close() {
        disks.forEach(Disk::close);
    }

    /** The server ends: writes under way may be lost. */
    void crash() {
        leaves.forEach(LeafDisk::crash);
        disks.forEach(Disk::crash);
    }

    /** Whether something waits to become durable, or to be read. */
    public boolean writing() {
        return disks.stream().anyMatch(disk -> !disk.idle()) || leaves.stream().anyMatch(disk -> !disk.idle());
    }

    /** Whether what is written survives the process, and answers to updates wait for no more. */
    boolean os() {
        return disks.get(0).os();
    }

    /** A record that no core has made: here one took what the base held, which is in the bytes after this one. */
    public static final byte LOADED = Disk.LOADED;

    /** What the first core would still have after a crash now, with {@link #LOADED}; not to be kept. */
    public List<byte[]> durable() {
        return disks.get(0).durable();
    }

    /** How many records of a kind the first core appended in the whole run. */
    public long appended(byte kind) {
        return disks.get(0).appended(kind);
    }

    /** How often their bases were lost or damaged. */
    public long basesLost() {
        return basesLost;
    }

    // ---- What happens to them ----

    /** Makes them full, or gives them room again. */
    public void full(boolean begins) {
        disks.forEach(disk -> disk.full(begins));
    }

    /** The machine ends with the next crash, and what only the operating system has is lost. */
    public void powerCut() {
        disks.forEach(Disk::powerCut);
    }

    /** They forget everything; the server does not run now. */
    public void lose() {
        disks.forEach(Disk::lose);
        leaves.forEach(LeafDisk::lose);
    }

    /** Their bases are gone or damaged; the server does not run now. */
    public void loseBases() {
        basesLost++;
        disks.forEach(Disk::loseBase);
    }

    /** They keep a copy of what is durable now. */
    public void keepCopy() {
        disks.forEach(Disk::keepCopy);
    }

    /** They hold again what was durable when the copy was made; the server does not run now. */
    public void becomeCopy() {
        disks.forEach(Disk::becomeCopy);
    }

    /**
     * Lets the server crash at the next record of a kind, once.
     *
     * @param stays whether that record is durable already
     */
    public void crashAt(Predicate<byte[]> step, boolean stays, Runnable crash) {
        disks.forEach(disk -> disk.trap(new Disk.Trap(step, stays, crash)));
    }

    /** The server does not crash at a record any more. */
    public void crashNowhere() {
        disks.forEach(disk -> disk.trap(null));
    }

    /**
     * Where an appserver's core keeps hashes of leaves that it has no room for. Reading takes time. Now and then a block is gone or
     * damaged when it is asked for; a crash loses some for good.
     */
    private static final class LeafDisk {
        /** One block in so many cannot be read. */
        private static final int LOST_IN = 20;

        private final Timeline timeline;
        private final SeededRandom chance;
        private final long slowest;
        private final Map<Integer, TreeMap<Long, LeafBlock>> blocks = new TreeMap<>();
        private int reading;
        private long generation;

        /** An empty disk from which a block comes within this many microseconds. */
        LeafDisk(Timeline timeline, SeededRandom chance, long slowest) {
            this.timeline = timeline;
            this.chance = chance;
            this.slowest = slowest;
        }

        /** Carries out an effect; what is loaded goes to the consumer later. */
        void carryOut(Effect.OfLeaves effect, Consumer<Event.LeavesLoaded> whom) {
            if (effect instanceof Effect.KeepLeaves keep) {
                ofOrigin(keep.origin()).put(keep.block().first(), keep.block());
            } else if (effect instanceof Effect.DropLeaves drop) {
                ofOrigin(drop.origin()).values().removeIf(block -> block.first() + block.leaves() <= drop.before());
            } else if (effect instanceof Effect.LoadLeaves load) {
                LeafBlock block = read(load.origin(), load.first());
                Event.LeavesLoaded loaded = new Event.LeavesLoaded(load.origin(), load.first(), block);
                long mine = generation;
                reading++;
                timeline.after(chance.between(1, Math.max(1, slowest)), () -> {
                    if (mine == generation) {
                        reading--;
                        whom.accept(loaded);
                    }
                });
            }
        }

        /** Whether nothing waits to be read. */
        boolean idle() {
            return reading == 0;
        }

        private TreeMap<Long, LeafBlock> ofOrigin(int origin) {
            return blocks.computeIfAbsent(origin, any -> new TreeMap<>());
        }

        private @Nullable LeafBlock read(int origin, long first) {
            LeafBlock block = ofOrigin(origin).get(first);
            if (block == null || chance.between(1, LOST_IN) > 1) {
                return block;
            }
            byte[] damaged = block.hashes();
            damaged[0] ^= 1;
            return chance.between(1, 2) == 1 ? null : new LeafBlock(first, damaged);
        }

        void crash() {
            generation++;
            reading = 0;
            blocks.values().forEach(of -> of.keySet().removeIf(any -> chance.between(1, LOST_IN) == 1));
        }

        /** Forgets all hashes; no process uses them now. */
        void lose() {
            blocks.clear();
        }
    }
}

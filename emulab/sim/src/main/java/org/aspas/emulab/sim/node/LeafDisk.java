package org.aspas.emulab.sim.node;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.aspas.appserver.core.port.Effect;
import org.aspas.appserver.core.port.Event;
import org.aspas.certify.log.LeafBlock;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * Where an appserver's core keeps hashes of leaves that it has no room for. Reading takes time. Now and then a block is gone or
 * damaged when it is asked for; a crash loses some for good.
 */
final class LeafDisk {
    /** One block in so many cannot be read. */
    private static final int LOST_IN = 20;

    private final Timeline timeline;
    private final Chance chance;
    private final long slowest;
    private final Map<Integer, TreeMap<Long, LeafBlock>> blocks = new TreeMap<>();
    private int reading;
    private long generation;

    /** An empty disk from which a block comes within this many microseconds. */
    LeafDisk(Timeline timeline, Chance chance, long slowest) {
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

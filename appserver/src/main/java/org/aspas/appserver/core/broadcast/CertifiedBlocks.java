package org.aspas.appserver.core.broadcast;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.aspas.certify.log.BlockRoots;
import org.aspas.certify.log.LeafBlock;
import org.aspas.certify.log.MerkleLog;
import org.aspas.crdt.clock.VersionVector;

/**
 * The hashes of certified leaves, in whole blocks. Each block is given to the shell when it is certified, long before its entries are
 * forgotten: a process that starts later has no entries before its base. The roots of blocks go with the base. For one thread.
 */
public final class CertifiedBlocks {
    /** What is known of one log. */
    private static final class Given {
        private final MerkleLog tree;
        private long upTo;
        private BlockRoots roots = new BlockRoots(0, List.of(), List.of());
        private long rootsEnd = -1;

        private Given(MerkleLog tree) {
            this.tree = tree;
        }
    }

    private final Logs logs;
    private final List<Given> given = new ArrayList<>();

    public CertifiedBlocks(Logs logs) {
        this.logs = logs;
        for (int origin = 0; origin < logs.origins(); origin++) {
            given.add(new Given(logs.of(origin).tree()));
        }
    }

    /** Gives away what has become whole up to a certified version. */
    public void certified(VersionVector version, BiConsumer<Integer, LeafBlock> keeper) {
        for (int origin = 0; origin < logs.origins(); origin++) {
            Given of = of(origin);
            long end = logs.of(origin).blockOf(version.get(origin));
            if (end > of.upTo) {
                int index = origin;
                of.tree.blocks(of.upTo, end).forEach(block -> keeper.accept(index, block));
                of.upTo = end;
            }
        }
    }

    /** The roots of all whole blocks that are not forgotten, up to a certified version, by origin. */
    public List<BlockRoots> roots(VersionVector version) {
        List<BlockRoots> all = new ArrayList<>();
        for (int origin = 0; origin < logs.origins(); origin++) {
            Given of = of(origin);
            long end = logs.of(origin).blockOf(version.get(origin));
            boolean same = end == of.rootsEnd && logs.of(origin).blockOf(of.tree.start()) == of.roots.first();
            if (!same) {
                of.roots = of.tree.blockRoots(end);
                of.rootsEnd = end;
            }
            all.add(of.roots);
        }
        return all;
    }

    /**
     * Makes logs that begin at a certified version remember blocks before it, as far as their roots lead to the certified ones.
     *
     * @param roots what was kept, by origin; not trusted
     * @return up to which leaves all is forgotten
     */
    public VersionVector regain(VersionVector version, List<BlockRoots> roots) {
        VersionVector starts = version;
        for (int origin = 0; origin < Math.min(roots.size(), logs.origins()); origin++) {
            Given of = of(origin);
            if (of.tree.size() == version.get(origin) && of.tree.regain(roots.get(origin))) {
                starts = starts.with(origin, of.tree.start());
                of.upTo = logs.of(origin).blockOf(version.get(origin));
            }
        }
        return starts;
    }

    /** A log that was replaced has given away nothing. */
    private Given of(int origin) {
        MerkleLog tree = logs.of(origin).tree();
        if (given.get(origin).tree != tree) {
            given.set(origin, new Given(tree));
        }
        return given.get(origin);
    }
}

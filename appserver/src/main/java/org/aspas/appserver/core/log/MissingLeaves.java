package org.aspas.appserver.core.log;

import java.util.LinkedHashSet;
import java.util.Set;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Collects the blocks of leaves that are kept elsewhere and without which something cannot be asked of the logs. For one thread. */
public final class MissingLeaves {
    /** A block of leaves, by the position of its first one. */
    record Block(int origin, long first) {}

    private final Logs logs;
    private final Set<Block> blocks = new LinkedHashSet<>();

    MissingLeaves(Logs logs) {
        this.logs = logs;
    }

    Set<Block> blocks() {
        return blocks;
    }

    /** The root of a log at a size is to be asked for, or proofs from or up to it. */
    public MissingLeaves size(int origin, long size) {
        OriginLog log = find(origin);
        if (log != null && size >= log.tree().start() && size <= log.size() && !log.knowsRoot(size)) {
            add(origin, size);
        }
        return this;
    }

    /** The roots at a version are to be asked for, which is read with the cuts of excluded origins. */
    public MissingLeaves sizes(VersionVector version) {
        if (version.size() == logs.origins()) {
            VersionVector clipped = logs.cuts().clip(version);
            for (int origin = 0; origin < logs.origins(); origin++) {
                size(origin, clipped.get(origin));
            }
        }
        return this;
    }

    /** It is to be asked which entry has a place. */
    public MissingLeaves place(Dot dot) {
        OriginLog log = find(dot.origin());
        if (log != null
                && dot.sequence() > log.tree().start()
                && dot.sequence() <= log.size()
                && !log.knowsLeaf(dot.sequence())) {
            add(dot.origin(), dot.sequence() - 1);
        }
        return this;
    }

    /** It is to be asked which entries follow a place, up to another one. */
    MissingLeaves between(int origin, long after, long upTo) {
        OriginLog log = find(origin);
        if (log == null || after < 0 || after > log.size()) {
            return this;
        }
        long end = Math.min(upTo, log.size());
        size(origin, after);
        size(origin, end);
        for (long at = after; at < end && blocks.size() <= LateLeaves.MOST_BLOCKS; at += log.blockLeaves()) {
            place(new Dot(origin, at + 1));
        }
        return end > 0 ? place(new Dot(origin, end)) : this;
    }

    private @Nullable OriginLog find(int origin) {
        return origin >= 0 && origin < logs.origins() ? logs.of(origin) : null;
    }

    private void add(int origin, long index) {
        blocks.add(new Block(origin, logs.of(origin).blockOf(index)));
    }
}

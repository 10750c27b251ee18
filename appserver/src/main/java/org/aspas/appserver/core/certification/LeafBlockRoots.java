package org.aspas.appserver.core.certification;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.appserver.core.state.BaseImage;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.BlockRoots;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * What a base keeps so that hashes of forgotten leaves can be proved to be right after a restart: the roots of their blocks, and how old
 * they are (docs/formats.md, §19). The roots are verified by the ends of the logs; the ages decide only when hashes go. Immutable.
 *
 * @param logs the roots, by origin
 * @param blockLevel blocks have 2^this leaves
 */
public record LeafBlockRoots(List<BlockRoots> logs, LeafAges ages, int blockLevel) {
    /** The origin in keys of ages. */
    static final int AGES = -1;

    private static final int PREFIX = 1 + Integer.BYTES;
    private static final int LONG_KEY = PREFIX + Long.BYTES;

    public LeafBlockRoots {
        logs = List.copyOf(logs);
    }

    /** Tells what has to be changed where this was kept before; null when it is not known what is there. */
    void changesSince(@Nullable LeafBlockRoots before, BaseImage.Changes changes) {
        if (before == null) {
            changes.removeBelow(new byte[] {BaseImage.LEAVES});
        }
        for (int origin = 0; origin < logs.size(); origin++) {
            changes(origin, before == null ? null : before.logs.get(origin), logs.get(origin), changes);
        }
        changes.put(key(AGES), longs(ages.clock()));
        TreeMap<Long, LeafAges.Mark> gone = new TreeMap<>();
        (before == null ? LeafAges.NONE : before.ages).marks().forEach(mark -> gone.put(mark.begin(), mark));
        for (LeafAges.Mark mark : ages.marks()) {
            if (!mark.equals(gone.remove(mark.begin()))) {
                changes.put(key(AGES, mark.begin()), content(mark));
            }
        }
        gone.keySet().forEach(begin -> changes.remove(key(AGES, begin)));
    }

    private void changes(int origin, @Nullable BlockRoots before, BlockRoots now, BaseImage.Changes changes) {
        if (now.equals(before)) {
            return;
        }
        if (before == null || before.first() != now.first() || !before.peaks().equals(now.peaks())) {
            changes.put(key(origin), edge(now));
        }
        for (int i = 0; before != null && i < before.roots().size(); i++) {
            long block = (before.first() >> blockLevel) + i;
            if (at(now, block) == null) {
                changes.remove(key(origin, block << blockLevel));
            }
        }
        for (int i = 0; i < now.roots().size(); i++) {
            long block = (now.first() >> blockLevel) + i;
            Hash root = now.roots().get(i);
            if (before == null || !root.equals(at(before, block))) {
                changes.put(key(origin, block << blockLevel), root.toBytes());
            }
        }
    }

    private @Nullable Hash at(BlockRoots roots, long block) {
        long place = block - (roots.first() >> blockLevel);
        return place < 0 || place >= roots.roots().size() ? null : roots.roots().get((int) place);
    }

    private static byte[] key(int origin) {
        return ByteBuffer.allocate(PREFIX).put(BaseImage.LEAVES).putInt(origin).array();
    }

    private static byte[] key(int origin, long place) {
        return ByteBuffer.allocate(LONG_KEY)
                .put(BaseImage.LEAVES)
                .putInt(origin)
                .putLong(place)
                .array();
    }

    private static byte[] longs(long one) {
        return ByteBuffer.allocate(Long.BYTES).putLong(one).array();
    }

    private static byte[] edge(BlockRoots roots) {
        ByteBuffer out =
                ByteBuffer.allocate(Long.BYTES + Hash.LENGTH * roots.peaks().size());
        out.putLong(roots.first());
        roots.peaks().forEach(peak -> out.put(peak.toBytes()));
        return out.array();
    }

    private static byte[] content(LeafAges.Mark mark) {
        VersionVector version = mark.version();
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES * (1 + version.size()));
        out.putLong(mark.adoptedAt());
        for (int origin = 0; origin < version.size(); origin++) {
            out.putLong(version.get(origin));
        }
        return out.array();
    }

    /** Puts together what a base gives back. What is malformed counts as gone. For one thread. */
    public static final class Loading {
        private final int origins;
        private final Map<Integer, byte[]> edges = new TreeMap<>();
        private final Map<Integer, TreeMap<Long, Hash>> roots = new TreeMap<>();
        private final TreeMap<Long, LeafAges.Mark> marks = new TreeMap<>();
        private long clock;

        public Loading(int origins) {
            this.origins = origins;
        }

        /** Takes what is under a key that begins with {@link BaseImage#LEAVES}. */
        public void take(byte[] key, byte[] content) {
            if (key.length != PREFIX && key.length != LONG_KEY) {
                return;
            }
            ByteBuffer in = ByteBuffer.wrap(key, 1, key.length - 1);
            int origin = in.getInt();
            if (origin == AGES && content.length >= Long.BYTES) {
                age(in, ByteBuffer.wrap(content));
            } else if (key.length == PREFIX) {
                edges.put(origin, content);
            } else if (content.length == Hash.LENGTH) {
                roots.computeIfAbsent(origin, any -> new TreeMap<>()).put(in.getLong(), Hash.of(content));
            }
        }

        private void age(ByteBuffer key, ByteBuffer content) {
            long first = content.getLong();
            if (!key.hasRemaining()) {
                clock = first;
            } else if (content.remaining() == Long.BYTES * origins) {
                long[] version = new long[origins];
                content.asLongBuffer().get(version);
                long begin = key.getLong();
                if (Arrays.stream(version).allMatch(part -> part >= 0)) {
                    marks.put(begin, new LeafAges.Mark(VersionVector.of(version), begin, first));
                }
            }
        }

        public LeafBlockRoots all(int blockLevel) {
            List<BlockRoots> logs = new ArrayList<>();
            for (int origin = 0; origin < origins; origin++) {
                logs.add(log(edges.get(origin), roots.getOrDefault(origin, new TreeMap<>())));
            }
            return new LeafBlockRoots(logs, new LeafAges(clock, List.copyOf(marks.values())), blockLevel);
        }

        private static BlockRoots log(byte @Nullable [] edge, TreeMap<Long, Hash> roots) {
            if (edge == null || edge.length % Hash.LENGTH != Long.BYTES) {
                return new BlockRoots(0, List.of(), List.of());
            }
            ByteBuffer in = ByteBuffer.wrap(edge);
            long first = in.getLong();
            List<Hash> peaks = new ArrayList<>();
            while (in.hasRemaining()) {
                byte[] peak = new byte[Hash.LENGTH];
                in.get(peak);
                peaks.add(Hash.of(peak));
            }
            return new BlockRoots(first, peaks, List.copyOf(roots.tailMap(first).values()));
        }
    }
}

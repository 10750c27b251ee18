package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;

/**
 * The operations of one epoch that a replica has, of each origin without gaps and chained by their hashes: equal hashes at
 * one place mean equal operations up to there. Not thread-safe.
 */
final class EpochLog {
    private final VersionVector base;
    private final int mostPerOrigin;
    private final List<List<SharedOperation>> operations = new ArrayList<>();
    private final List<List<Hash>> chains = new ArrayList<>();
    private final List<TreeMap<Long, SharedOperation>> early = new ArrayList<>();
    private int size;

    /**
     * An empty log.
     *
     * @param base how many operations of each origin came before
     * @param mostPerOrigin how many operations of one origin it takes
     */
    EpochLog(VersionVector base, int mostPerOrigin) {
        this.base = base;
        this.mostPerOrigin = mostPerOrigin;
        for (int origin = 0; origin < base.size(); origin++) {
            operations.add(new ArrayList<>());
            chains.add(new ArrayList<>());
            early.add(new TreeMap<>());
        }
    }

    /** Takes an operation of this epoch; the first of its number counts. Returns what could be appended, in order. */
    List<SharedOperation> offer(SharedOperation operation) {
        int origin = operation.origin();
        List<SharedOperation> appended = new ArrayList<>();
        long place = operation.sequence() - base.get(origin);
        if (place <= operations.get(origin).size() || place > mostPerOrigin) {
            return appended;
        }
        TreeMap<Long, SharedOperation> waiting = early.get(origin);
        waiting.putIfAbsent(operation.sequence(), operation);
        while (!waiting.isEmpty() && waiting.firstKey() == count(origin) + 1) {
            SharedOperation next = waiting.pollFirstEntry().getValue();
            operations.get(origin).add(next);
            chains.get(origin).add(chained(head(origin), next));
            appended.add(next);
            size++;
        }
        return appended;
    }

    /** The hash of a chain and one more operation. */
    static Hash chained(Hash head, SharedOperation next) {
        return Hash.sha256(head.toBytes(), next.body());
    }

    /** How many operations of an origin there are, since the beginning. */
    long count(int origin) {
        return base.get(origin) + operations.get(origin).size();
    }

    /** How many operations there are of each origin, since the beginning. */
    VersionVector counts() {
        long[] counts = base.toArray();
        for (int origin = 0; origin < counts.length; origin++) {
            counts[origin] = count(origin);
        }
        return VersionVector.of(counts);
    }

    VersionVector base() {
        return base;
    }

    /** How many operations this epoch has. */
    int size() {
        return size;
    }

    private Hash head(int origin) {
        List<Hash> chain = chains.get(origin);
        return chain.isEmpty() ? Hash.ZERO : chain.get(chain.size() - 1);
    }

    Hash digest() {
        byte[][] heads = new byte[base.size()][];
        for (int origin = 0; origin < heads.length; origin++) {
            heads[origin] = head(origin).toBytes();
        }
        return Hash.sha256(heads);
    }

    /** For each origin the hashes of its chain; a copy. */
    List<List<Hash>> chains() {
        return chains.stream().map(List::copyOf).toList();
    }

    /** Whether the log begins with what the set has of an origin. */
    boolean has(AgreedSet set, int origin) {
        int length = (int) (set.cut().get(origin) - base.get(origin));
        List<Hash> chain = chains.get(origin);
        return length == 0
                || (length <= chain.size()
                        && chain.get(length - 1).equals(set.heads().get(origin)));
    }

    /** The operations of an origin after its {@code after} first ones since the beginning. */
    List<SharedOperation> after(int origin, long after) {
        List<SharedOperation> all = operations.get(origin);
        int from = (int) Math.max(0, Math.min(after - base.get(origin), all.size()));
        return List.copyOf(all.subList(from, all.size()));
    }

    /** The operations of an origin that a set has, all of which the log must have. */
    List<SharedOperation> within(AgreedSet set, int origin) {
        return List.copyOf(operations.get(origin).subList(0, (int) (set.cut().get(origin) - base.get(origin))));
    }

    /** How many operations of this log are not among these, by origin, each at its place. */
    int without(List<List<SharedOperation>> agreed) {
        int more = 0;
        for (int origin = 0; origin < agreed.size(); origin++) {
            List<SharedOperation> mine = operations.get(origin);
            for (int place = 0; place < mine.size(); place++) {
                boolean there = place < agreed.get(origin).size()
                        && Arrays.equals(
                                mine.get(place).body(),
                                agreed.get(origin).get(place).body());
                more += there ? 0 : 1;
            }
        }
        return more;
    }
}

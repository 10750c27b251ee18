package org.aspas.emulab.baselines.obft.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.crdt.clock.VersionVector;

/**
 * A synchronisation point and its set of operations: of each origin, all up to a number. The hash chains say which.
 *
 * @param epoch the number of the synchronisation, from 0
 * @param cut how many operations of each origin are in, since the beginning
 * @param heads the end of each origin's chain in this epoch; {@link Hash#ZERO} where the epoch has none of it
 */
public record AgreedSet(long epoch, VersionVector cut, List<Hash> heads) {
    public AgreedSet {
        heads = List.copyOf(heads);
    }

    /**
     * What enough logs have in common: of each origin the longest chain that {@code enough} of them begin with. Of two equally
     * long ones, which only a faulty origin can bring about, the one with the smaller hash.
     *
     * @param base how many operations of each origin came before the epoch
     * @param logs for each log, for each origin, the hashes of its chain in order
     * @param enough in how many logs an operation has to be, from 1
     */
    static AgreedSet of(long epoch, VersionVector base, List<List<List<Hash>>> logs, int enough) {
        long[] cut = base.toArray();
        List<Hash> heads = new ArrayList<>();
        for (int origin = 0; origin < cut.length; origin++) {
            Hash head = Hash.ZERO;
            int common = 0;
            for (int length = longest(logs, origin); length > 0 && common == 0; length--) {
                TreeMap<Hash, Integer> votes = new TreeMap<>();
                for (List<List<Hash>> log : logs) {
                    List<Hash> chain = log.get(origin);
                    if (chain.size() >= length) {
                        votes.merge(chain.get(length - 1), 1, Integer::sum);
                    }
                }
                votes.values().removeIf(count -> count < enough);
                if (!votes.isEmpty()) {
                    common = length;
                    head = votes.firstKey();
                }
            }
            cut[origin] += common;
            heads.add(head);
        }
        return new AgreedSet(epoch, VersionVector.of(cut), heads);
    }

    private static int longest(List<List<List<Hash>>> logs, int origin) {
        return logs.stream().mapToInt(log -> log.get(origin).size()).max().orElse(0);
    }

    /** The digest that replicas vote on. */
    Hash digest() {
        return Hash.sha256(ObftCodec.bytes(this));
    }
}

package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The map of paths to leaf values under a state root (docs/formats.md §5). Its root is computed anew at each question. */
final class StateMap {
    private static final int LEAF = 0;
    private static final int INNER = 1;

    private final SortedMap<byte[], byte[]> leaves = new TreeMap<>(Arrays::compareUnsigned);

    void put(byte[] path, byte[] leaf) {
        leaves.put(path, leaf);
    }

    byte[] root() {
        return root(new ArrayList<>(leaves.entrySet()), 0);
    }

    /** The root of a subtree at a depth, from its leaves by path, all of which have the same first bits. */
    private static byte[] root(List<Map.Entry<byte[], byte[]>> under, int depth) {
        if (under.isEmpty()) {
            return Sha256.ZERO;
        }
        if (under.size() == 1) {
            return Sha256.tagged(LEAF, under.get(0).getKey(), under.get(0).getValue());
        }
        int right = 0;
        while (right < under.size() && !bit(under.get(right).getKey(), depth)) {
            right++;
        }
        return Sha256.tagged(
                INNER, root(under.subList(0, right), depth + 1), root(under.subList(right, under.size()), depth + 1));
    }

    private static boolean bit(byte[] path, int index) {
        return (path[index / 8] >> (7 - index % 8) & 1) == 1;
    }
}

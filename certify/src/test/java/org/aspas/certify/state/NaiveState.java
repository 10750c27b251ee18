package org.aspas.certify.state;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;

/** The root of a set of leaves, computed from its definition in the package description. */
final class NaiveState {
    private NaiveState() {}

    static Hash root(Map<Hash, Hash> leaves) {
        return root(new TreeMap<>(leaves), 0);
    }

    private static Hash root(SortedMap<Hash, Hash> leaves, int depth) {
        if (leaves.isEmpty()) {
            return Hash.of(new byte[32]);
        }
        if (leaves.size() == 1) {
            Hash path = leaves.firstKey();
            return Hash.sha256(
                    new byte[] {0},
                    path.toBytes(),
                    leaves.values().iterator().next().toBytes());
        }
        SortedMap<Hash, Hash> left = new TreeMap<>();
        SortedMap<Hash, Hash> right = new TreeMap<>();
        leaves.forEach((path, value) -> (bit(path, depth) ? right : left).put(path, value));
        byte[] leftHash = root(left, depth + 1).toBytes();
        byte[] rightHash = root(right, depth + 1).toBytes();
        return Hash.sha256(new byte[] {1}, leftHash, rightHash);
    }

    private static boolean bit(Hash path, int index) {
        int digit = Integer.parseInt(path.toString().substring(index / 4, index / 4 + 1), 16);
        return (digit >> (3 - index % 4) & 1) == 1;
    }
}

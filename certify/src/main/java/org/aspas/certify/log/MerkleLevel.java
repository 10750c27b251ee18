package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;

/** The hashes of the complete subtrees of one size, by their index, from some index on. Mutable, for one thread. */
final class MerkleLevel {
    private final List<Hash> hashes = new ArrayList<>();
    private long first;

    /** A level without hashes, of which those before an index are forgotten. */
    MerkleLevel(long first) {
        this.first = first;
    }

    /** The index after the last. */
    long end() {
        return first + hashes.size();
    }

    /** How many hashes are here. */
    int size() {
        return hashes.size();
    }

    /** Whether the hash at an index before the end is here. */
    boolean has(long index) {
        return index >= first;
    }

    Hash get(long index) {
        return hashes.get((int) (index - first));
    }

    List<Hash> between(long begin, long end) {
        return hashes.subList((int) (begin - first), (int) (end - first));
    }

    void add(Hash hash) {
        hashes.add(hash);
    }

    void truncate(long end) {
        between(end, end()).clear();
    }

    void dropBefore(long index) {
        if (index > first) {
            between(first, index).clear();
            first = index;
        }
    }
}

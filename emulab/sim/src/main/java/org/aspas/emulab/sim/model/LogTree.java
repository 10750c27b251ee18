package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The Merkle tree of one origin's log (RFC 9162 §2.1; docs/formats.md §4). Complete subtrees are remembered, so that a root
 * costs the logarithm of the size. For one thread.
 */
final class LogTree {
    private static final int LEAF = 0;
    private static final int INNER = 1;

    /** By height: the hashes of the complete subtrees of 2^height leaves, from the left. */
    private final List<List<byte[]>> complete = new ArrayList<>();

    LogTree() {
        complete.add(new ArrayList<>());
    }

    int size() {
        return complete.get(0).size();
    }

    /** The hash of a leaf, from 0. */
    byte[] leaf(int index) {
        return complete.get(0).get(index);
    }

    void append(byte[] entry) {
        complete.get(0).add(Sha256.tagged(LEAF, entry));
        for (int height = 0; complete.get(height).size() % 2 == 0; height++) {
            List<byte[]> lower = complete.get(height);
            if (complete.size() == height + 1) {
                complete.add(new ArrayList<>());
            }
            complete.get(height + 1)
                    .add(Sha256.tagged(INNER, lower.get(lower.size() - 2), lower.get(lower.size() - 1)));
        }
    }

    /** Becomes the tree of so many leaves of which only the complete subtrees at its right edge are known, the largest first. */
    void restart(int size, List<byte[]> peaks) {
        complete.clear();
        int peak = peaks.size();
        for (int height = 0; height == 0 || size >> height != 0; height++) {
            List<byte[]> level = new ArrayList<>(Collections.nCopies(size >> height, new byte[0]));
            if ((size >> height & 1) == 1) {
                level.set(level.size() - 1, peaks.get(--peak));
            }
            complete.add(level);
        }
    }

    void truncate(int kept) {
        for (int height = 0; height < complete.size(); height++) {
            List<byte[]> level = complete.get(height);
            level.subList(Math.min(level.size(), kept >> height), level.size()).clear();
        }
    }

    /** The root over the first leaves. */
    byte[] root(int size) {
        return size == 0 ? Sha256.of() : root(0, size);
    }

    private byte[] root(int first, int count) {
        if (Integer.bitCount(count) == 1) {
            int height = Integer.numberOfTrailingZeros(count);
            return complete.get(height).get(first >> height);
        }
        int left = Integer.highestOneBit(count - 1);
        return Sha256.tagged(INNER, root(first, left), root(first + left, count - left));
    }
}

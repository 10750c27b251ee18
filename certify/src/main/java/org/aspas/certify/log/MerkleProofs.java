package org.aspas.certify.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.aspas.certify.identity.Hash;

/** The hashes of the proofs of RFC 9162 §2.1.3.1 and §2.1.4.1, from the roots of ranges of leaves. */
final class MerkleProofs {
    /** Knows the roots of ranges of the RFC's recursion. */
    @FunctionalInterface
    interface Ranges {
        /** The root over the leaves from begin to before end. */
        Hash root(long begin, long end);
    }

    private MerkleProofs() {}

    /** Returns the largest power of two smaller than a size of at least 2. */
    static long split(long size) {
        return Long.highestOneBit(size - 1);
    }

    static InclusionProof inclusion(Ranges ranges, long index, long treeSize) {
        List<Hash> path = new ArrayList<>();
        long begin = 0;
        long end = treeSize;
        while (end - begin > 1) {
            long middle = begin + split(end - begin);
            if (index < middle) {
                path.add(ranges.root(middle, end));
                end = middle;
            } else {
                path.add(ranges.root(begin, middle));
                begin = middle;
            }
        }
        Collections.reverse(path);
        return new InclusionProof(index, treeSize, path);
    }

    static ConsistencyProof consistency(Ranges ranges, long oldSize, long newSize) {
        List<Hash> path = new ArrayList<>();
        long begin = 0;
        long end = newSize;
        while (oldSize > 0 && end > oldSize) {
            long middle = begin + split(end - begin);
            if (oldSize <= middle) {
                path.add(ranges.root(middle, end));
                end = middle;
            } else {
                path.add(ranges.root(begin, middle));
                begin = middle;
            }
        }
        if (begin > 0) {
            path.add(ranges.root(begin, end));
        }
        Collections.reverse(path);
        return new ConsistencyProof(oldSize, newSize, path);
    }
}

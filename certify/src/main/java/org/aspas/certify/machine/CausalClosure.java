package org.aspas.certify.machine;

import org.aspas.crdt.clock.VersionVector;

/**
 * LV', the largest causally closed version at most LV (the protocol page, docs/protocol.md §5.3). A version is causally
 * closed when it dominates the dependencies of every entry that it includes. Closed versions are closed under join, so
 * that the largest one at most a bound is unique.
 */
public final class CausalClosure {
    private CausalClosure() {}

    /** The dependencies of the entries of all origin logs. */
    @FunctionalInterface
    public interface Dependencies {
        /**
         * The dependencies of one entry. Along an origin they only grow, which the delivery of entries has checked.
         *
         * @param sequence the entry's sequence number, from 1 to the bound's component
         */
        VersionVector of(int origin, long sequence);
    }

    /**
     * The largest causally closed version at most the bound. Looks at O(log) entries per origin each time that some
     * component falls, and never at entries that the floor includes.
     *
     * @param floor a version that is known to be causally closed, at most the bound; zero, or the certified version
     * @param bound LV
     * @param dependencies of the entries after the floor up to the bound
     * @return LV', at least the floor and at most the bound
     * @throws IllegalArgumentException when the bound does not dominate the floor
     */
    public static VersionVector of(VersionVector floor, VersionVector bound, Dependencies dependencies) {
        if (!bound.dominates(floor)) {
            throw new IllegalArgumentException("bound " + bound + " is not above floor " + floor);
        }
        VersionVector closed = bound;
        boolean fell = true;
        while (fell) {
            fell = false;
            for (int origin = 0; origin < bound.size(); origin++) {
                long kept = longestPrefix(floor.get(origin), closed, origin, dependencies);
                if (kept < closed.get(origin)) {
                    closed = closed.with(origin, kept);
                    fell = true;
                }
            }
        }
        return closed;
    }

    /** The largest sequence number from low to the version's own whose entry has all its dependencies in the version. */
    private static long longestPrefix(long floor, VersionVector version, int origin, Dependencies dependencies) {
        long low = floor;
        long high = version.get(origin);
        if (high == low || version.dominates(dependencies.of(origin, high))) {
            return high;
        }
        high--;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (version.dominates(dependencies.of(origin, middle))) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}

package org.aspas.certify.machine;

import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.Stable;
import org.aspas.crdt.clock.VersionVector;

/** What a STABLE must satisfy in itself to be counted at all. */
final class StableCheck {
    private StableCheck() {}

    /** Whether all lists and vectors have one item per origin. */
    static boolean fit(Stable answer, int origins) {
        return answer.version().size() == origins
                && answer.roots().size() == origins
                && answer.closed().size() == origins
                && answer.closedRoots().size() == origins;
    }

    /**
     * Whether a fitting answer lies between what is certified and the goal, with one root per size of a log: so nobody can
     * dissent about a log of which the goal has nothing beyond what is certified.
     *
     * @param roots its roots; ignored for origins of which nothing is certified
     */
    static boolean plausible(Stable answer, VersionVector certified, List<Hash> roots) {
        VersionVector closed = answer.closed();
        if (!answer.version().dominates(closed) || !closed.dominates(certified)) {
            return false;
        }
        for (int origin = 0; origin < closed.size(); origin++) {
            Hash root = answer.closedRoots().get(origin);
            long size = closed.get(origin);
            boolean atGoal = size == answer.version().get(origin);
            boolean known = size == 0 || size == certified.get(origin);
            Hash right = size == 0 ? MerkleTree.EMPTY_ROOT : roots.get(origin);
            if ((atGoal && !root.equals(answer.roots().get(origin))) || (known && !root.equals(right))) {
                return false;
            }
        }
        return true;
    }
}

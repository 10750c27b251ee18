package org.aspas.bftcluster.engine;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Notices that the other replicas have begun the order anew without this one. The order lives in memory. When all but b
 * replicas stop, those that start again begin a new incarnation of the order, at its first instance. A replica that
 * went on is stale: it still has the position and the state of the old incarnation.
 *
 * <p>A stale replica does not vote in the new incarnation, which may need its vote. Once the new one has passed its
 * position, it would take the new instances for its own, and differ from all others. Not thread-safe.
 */
final class IncarnationCheck {
    /** What a replica says that takes part in no incarnation yet. */
    static final int NONE = 0;

    /** What a replica says that takes part in an incarnation in which nothing was ordered. */
    static final int NEW = 1;

    /** So many looks in a row must show the others in another incarnation. */
    static final int PATIENCE = 5;

    private final int enough;
    private int looks;

    /** Needs {@code enough} others in one other incarnation: b+1, so that one of them is correct. */
    IncarnationCheck(int enough) {
        this.enough = enough;
    }

    /** Whether this names an incarnation: neither {@link #NONE} nor {@link #NEW}. */
    static boolean isName(int incarnation) {
        return incarnation != NONE && incarnation != NEW;
    }

    /**
     * Takes one look.
     *
     * @param own the name of the incarnation that this replica is in, {@link #NEW} or {@link #NONE}
     * @param others what others said since the last look, one word of each
     * @return whether this replica remains from an earlier incarnation, and must be made anew
     */
    boolean isStale(int own, Collection<Integer> others) {
        boolean apart = isName(own)
                && others.stream()
                        .filter(incarnation -> incarnation != NONE && incarnation != own)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                        .values()
                        .stream()
                        .anyMatch(count -> count >= enough);
        looks = apart ? looks + 1 : 0;
        return looks >= PATIENCE;
    }
}

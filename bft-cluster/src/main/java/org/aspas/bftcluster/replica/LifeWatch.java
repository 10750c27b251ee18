package org.aspas.bftcluster.replica;

import java.util.Collection;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Notices that the others have begun the order anew without this replica. The order lives in memory: when all but b replicas
 * have stopped, those that start begin a new one at its first instance, while a replica that went on still has the position
 * and the state of the old one. It does not vote in the new one, which may need it, and would take the new order's instances
 * for its own as soon as they pass its position, and differ from all others from then on. Not thread-safe.
 */
final class LifeWatch {
    /** What a replica says that takes part in no life yet. */
    static final int NONE = 0;

    /** What a replica says that takes part in a life in which nothing was ordered. */
    static final int NEW = 1;

    /** So many looks in a row must show the others in another life. */
    static final int PATIENCE = 5;

    private final int enough;
    private int looks;

    /**
     * A watch that has seen nothing.
     *
     * @param enough how many others must be in one other life, b+1: one of them is correct
     */
    LifeWatch(int enough) {
        this.enough = enough;
    }

    /** Whether a life may be called so. */
    static boolean isName(int life) {
        return life != NONE && life != NEW;
    }

    /**
     * Takes one look.
     *
     * @param own the name of the life that this replica is in, {@link #NEW} or {@link #NONE}
     * @param others what others said since the last look, one word of each
     * @return whether this replica is left over from an earlier life, and must be made anew
     */
    boolean isLeftOver(int own, Collection<Integer> others) {
        boolean apart = isName(own)
                && others.stream()
                        .filter(life -> life != NONE && life != own)
                        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                        .values()
                        .stream()
                        .anyMatch(count -> count >= enough);
        looks = apart ? looks + 1 : 0;
        return looks >= PATIENCE;
    }
}

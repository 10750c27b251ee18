package org.aspas.crdt.polog;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;

/**
 * An operation with the tag that causal delivery gave it.
 *
 * <p>One effect may have entered the system at several origins, when a client resubmitted it elsewhere.
 * All dots of the effect are its aliases: an operation has observed the effect if its dependencies cover
 * any of them. The alias set of an effect must be the same at every replica that compares states; this
 * class does not compute it.
 *
 * @param dot the operation's own name
 * @param dependencies the version vector of the origin just before the operation; it does not cover the dot
 * @param operation what the client asked for
 * @param aliases all dots of the effect in ascending order, at least {@code dot} itself; copied
 */
public record Tagged(Dot dot, VersionVector dependencies, Operation operation, SortedSet<Dot> aliases) {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if the dot's origin is outside the vector, if the dependencies cover
     *     the dot, or if the aliases lack the dot
     */
    public Tagged {
        if (dependencies.covers(dot)) {
            throw new IllegalArgumentException("operation " + dot + " depends on itself: " + dependencies);
        }
        if (!aliases.contains(dot)) {
            throw new IllegalArgumentException("aliases " + aliases + " lack the dot " + dot);
        }
        aliases = Collections.unmodifiableSortedSet(new TreeSet<>(aliases));
    }

    /**
     * Tags an operation whose only dot is its own.
     *
     * @throws IllegalArgumentException if the dot's origin is outside the vector or the dependencies cover
     *     the dot
     */
    public Tagged(Dot dot, VersionVector dependencies, Operation operation) {
        this(dot, dependencies, operation, Collections.unmodifiableSortedSet(singleton(dot)));
    }

    private static SortedSet<Dot> singleton(Dot dot) {
        TreeSet<Dot> set = new TreeSet<>();
        set.add(dot);
        return set;
    }

    /** Returns the full timestamp: the dependencies and the operation itself. */
    public VersionVector timestamp() {
        return dependencies.with(dot.origin(), dot.sequence());
    }

    /** Says whether the issuer of this operation had seen the earlier one, under any of its dots. */
    public boolean observed(Tagged earlier) {
        return observedAny(earlier.aliases());
    }

    /**
     * Says whether the dependencies cover any of these dots. A dot of an origin that the vector does not
     * know is not covered.
     */
    public boolean observedAny(Iterable<Dot> dots) {
        for (Dot candidate : dots) {
            if (candidate.origin() < dependencies.size() && dependencies.covers(candidate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns this operation with what it claims to have seen of one origin limited to a cut, which is how
     * dependencies on revoked operations of an excluded origin are read.
     */
    public Tagged cut(int origin, long cut) {
        long claimed = dependencies.get(origin);
        return claimed <= cut ? this : new Tagged(dot, dependencies.with(origin, cut), operation, aliases);
    }
}

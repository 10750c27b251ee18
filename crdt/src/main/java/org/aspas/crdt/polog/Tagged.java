package org.aspas.crdt.polog;

import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;

/**
 * An operation with the tag that causal delivery gave it. Immutable.
 *
 * @param dot the name of the operation
 * @param dependencies the version vector of the origin just before the operation; it does not cover the dot
 */
public record Tagged(Dot dot, VersionVector dependencies, Operation operation) {

    /**
     * Checks the dot.
     *
     * @throws IllegalArgumentException if the dot's origin is outside the vector or the dependencies cover the dot
     */
    public Tagged {
        if (dependencies.covers(dot)) {
            throw new IllegalArgumentException("operation " + dot + " depends on itself: " + dependencies);
        }
    }

    /**
     * Returns whether the dependencies cover any of these dots. A dot whose origin is outside the vector is
     * not covered.
     */
    public boolean observedAny(Iterable<Dot> dots) {
        for (Dot candidate : dots) {
            if (candidate.origin() < dependencies.size() && dependencies.covers(candidate)) {
                return true;
            }
        }
        return false;
    }
}

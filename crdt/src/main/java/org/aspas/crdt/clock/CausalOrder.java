package org.aspas.crdt.clock;

/** How two version vectors relate in the partial order of causality. */
public enum CausalOrder {
    /** Both vectors have the same components. */
    EQUAL,
    /** The first vector is below the second one: less or equal everywhere, and not equal. */
    BEFORE,
    /** The first vector is above the second one: greater or equal everywhere, and not equal. */
    AFTER,
    /** Neither vector dominates the other. */
    CONCURRENT
}

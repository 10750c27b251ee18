package org.aspas.certify.model;

import java.util.List;

/** The ways to give the three correct replicas each other's names; the liar keeps its own. */
final class Names {
    static final int[] SAME = {0, 1, 2, 3};

    /** All six, the one that changes nothing first. */
    static final List<int[]> ALL = List.of(
            SAME,
            new int[] {0, 2, 1, 3},
            new int[] {1, 0, 2, 3},
            new int[] {1, 2, 0, 3},
            new int[] {2, 0, 1, 3},
            new int[] {2, 1, 0, 3});

    private Names() {}
}

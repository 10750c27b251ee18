package org.aspas.certify.model;

/**
 * How far the search goes.
 *
 * @param numbers contents are decided for numbers 1 to this
 * @param contents how many different ones follow each content
 * @param attempts no attempt above this is explored
 * @param coldStarts how often all replicas stop at once and start again
 * @param lostRecords how many correct replicas lose their record, at a start
 * @param restarts how often one replica starts again while the others run
 * @param reduced whether orders of commands that make no difference are left out (docs/model.md has the arguments)
 */
record Bounds(int numbers, int contents, int attempts, int coldStarts, int lostRecords, int restarts, boolean reduced) {
    /** The reduced search. */
    Bounds(int numbers, int contents, int attempts, int coldStarts, int lostRecords, int restarts) {
        this(numbers, contents, attempts, coldStarts, lostRecords, restarts, true);
    }

    Bounds {
        if (coldStarts > 3 || lostRecords > 3 || restarts > 3) {
            throw new IllegalArgumentException("a budget above 3");
        }
    }
}

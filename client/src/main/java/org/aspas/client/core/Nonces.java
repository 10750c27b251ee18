package org.aspas.client.core;

/** The client's names for its reads, inspections, questions for its standing and complaints: one sequence for all. */
final class Nonces {
    private long last;

    long next() {
        return ++last;
    }

    /** Whether this nonce was given out. */
    boolean used(long nonce) {
        return nonce >= 1 && nonce <= last;
    }
}

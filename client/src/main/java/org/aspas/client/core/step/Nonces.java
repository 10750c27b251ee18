package org.aspas.client.core.step;

/** The client's names for its reads, inspections, questions for its standing and complaints: one sequence for all. */
public final class Nonces {
    private long last;

    /** A nonce that was never given out. */
    public long next() {
        return ++last;
    }

    /** Whether this nonce was given out. */
    public boolean used(long nonce) {
        return nonce >= 1 && nonce <= last;
    }
}

package org.aspas.bftcluster.frame;

/** A frame is not what a correct replica sends. Stays inside this package: callers get a {@link Judgement}. */
final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final Refusal reason;

    Malformed(Refusal reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    Refusal reason() {
        return reason;
    }

    /** Throws unless the condition holds. */
    static void unless(boolean holds, Refusal reason, String detail) throws Malformed {
        if (!holds) {
            throw new Malformed(reason, detail);
        }
    }
}

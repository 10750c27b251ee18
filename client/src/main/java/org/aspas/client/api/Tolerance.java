package org.aspas.client.api;

import org.aspas.certify.message.OpenSession;

/** Values of τ, how many of a client's own updates may be unconfirmed at once (paper §3.6). */
public final class Tolerance {
    /** Every update's answer comes only with its verified confirmation. */
    public static final long CONFIRM_EACH = 1;

    /** Updates never wait for confirmations, up to the bound of {@link ClientOptions#maxUnconfirmed}. */
    public static final long UNBOUNDED = OpenSession.UNBOUNDED;

    private Tolerance() {}

    static long check(long tolerance) {
        if (tolerance < 0) {
            throw new IllegalArgumentException("tolerance must be at least 1, or 0 for no bound: " + tolerance);
        }
        return tolerance;
    }
}

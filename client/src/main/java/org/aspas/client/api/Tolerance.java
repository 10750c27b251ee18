package org.aspas.client.api;

import org.aspas.certify.wire.OpenSession;

/**
 * Values of τ, the number of a client's own updates that may be unconfirmed at once (paper §3.6), and their text form: a number from
 * 1, or {@code unbounded}. In JSON, null stands for unbounded.
 */
public final class Tolerance {
    /** τ = 1: every update is answered only together with its verified confirmation. */
    public static final long CONFIRM_EACH = 1;

    /** Updates never wait for confirmations, up to the bound {@code unconfirmed} of {@link ClientOptions#withBounds}. */
    public static final long UNBOUNDED = OpenSession.UNBOUNDED;

    /** The range, for messages; the refused value follows. */
    static final String RANGE = "tolerance must be at least 1, or Tolerance.UNBOUNDED: ";

    private static final String WORD = "unbounded";

    private Tolerance() {}

    /**
     * Parses a τ.
     *
     * @return a number from 1, or {@link #UNBOUNDED}
     * @throws IllegalArgumentException when the text is neither a number from 1 nor {@code unbounded}
     */
    public static long parse(String text) {
        if (WORD.equals(text)) {
            return UNBOUNDED;
        }
        try {
            long tolerance = Long.parseLong(text);
            if (tolerance >= CONFIRM_EACH) {
                return tolerance;
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw new IllegalArgumentException("τ is '" + text + "', but must be a number from 1, or " + WORD);
    }

    /**
     * Returns the text that {@link #parse} reads back as this τ.
     *
     * @param tolerance from 1, or {@link #UNBOUNDED}
     */
    public static String text(long tolerance) {
        return tolerance == UNBOUNDED ? WORD : Long.toString(tolerance);
    }

    static boolean isOne(long tolerance) {
        return tolerance >= CONFIRM_EACH || tolerance == UNBOUNDED;
    }
}

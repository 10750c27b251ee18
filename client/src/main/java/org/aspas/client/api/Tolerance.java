package org.aspas.client.api;

import org.aspas.certify.wire.OpenSession;

/**
 * Values of τ, how many of a client's own updates may be unconfirmed at once (paper §3.6), and how people write them: a number
 * from 1, or {@code unbounded}. In JSON, unbounded is null.
 */
public final class Tolerance {
    /** Every update's answer comes only with its verified confirmation. */
    public static final long CONFIRM_EACH = 1;

    /** Updates never wait for confirmations, up to the bound of {@link ClientOptions#maxUnconfirmed}. */
    public static final long UNBOUNDED = OpenSession.UNBOUNDED;

    /** The range, for messages; the refused value follows. */
    static final String RANGE = "tolerance must be at least 1, or Tolerance.UNBOUNDED: ";

    private static final String WORD = "unbounded";

    private Tolerance() {}

    /**
     * Reads a τ.
     *
     * @return from 1, or {@link #UNBOUNDED}
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
     * A τ as {@link #parse} reads it.
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

package org.aspas.emulab.workload;

import java.util.Comparator;

/**
 * A class of clients, by τ: how many of its own updates a client lets be unconfirmed before the next one waits.
 *
 * @param tolerance τ, from 1; 0 for no bound
 */
public record ToleranceClass(long tolerance) implements Comparable<ToleranceClass> {
    /** Every update waits for its certificate. */
    public static final ToleranceClass TAU_1 = new ToleranceClass(1);

    /** Up to a thousand unconfirmed updates. */
    public static final ToleranceClass TAU_1000 = new ToleranceClass(1000);

    /** Never waits. */
    public static final ToleranceClass TAU_INF = new ToleranceClass(0);

    private static final String NO_BOUND = "inf";
    private static final Comparator<ToleranceClass> STRICTEST_FIRST =
            Comparator.comparingLong(one -> one.tolerance == 0 ? Long.MAX_VALUE : one.tolerance);

    /** Checks the range. */
    public ToleranceClass {
        if (tolerance < 0) {
            throw new IllegalArgumentException("tolerance = " + tolerance + " is negative");
        }
    }

    /**
     * Reads {@code 10} or {@code inf}.
     *
     * @throws IllegalArgumentException when it is neither a number from 1 nor {@code inf}
     */
    public static ToleranceClass parse(String text) {
        if (NO_BOUND.equals(text)) {
            return TAU_INF;
        }
        try {
            long tolerance = Long.parseLong(text);
            if (tolerance >= 1) {
                return new ToleranceClass(tolerance);
            }
        } catch (NumberFormatException none) {
            // said below
        }
        throw new IllegalArgumentException("τ is '" + text + "', but must be a number from 1, or " + NO_BOUND);
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return tolerance == 0 ? NO_BOUND : Long.toString(tolerance);
    }

    /** The name in JSON. */
    public String key() {
        return "tau_" + text();
    }

    /** The name for people. */
    public String label() {
        return "τ=" + (tolerance == 0 ? "∞" : text());
    }

    @Override
    public int compareTo(ToleranceClass other) {
        return STRICTEST_FIRST.compare(this, other);
    }
}

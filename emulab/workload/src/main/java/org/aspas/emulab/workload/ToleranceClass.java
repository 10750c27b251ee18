package org.aspas.emulab.workload;

import java.util.Comparator;
import org.aspas.client.api.Tolerance;

/**
 * A class of clients, by τ: how many of its own updates a client lets be unconfirmed before the next one waits.
 *
 * @param tolerance τ, from 1; 0 for unbounded
 */
public record ToleranceClass(long tolerance) implements Comparable<ToleranceClass> {
    /** Every update waits for its certificate. */
    public static final ToleranceClass TAU_1 = new ToleranceClass(1);

    public static final ToleranceClass TAU_1000 = new ToleranceClass(1000);

    public static final ToleranceClass TAU_UNBOUNDED = new ToleranceClass(0);

    private static final Comparator<ToleranceClass> STRICTEST_FIRST =
            Comparator.comparingLong(one -> one.tolerance == 0 ? Long.MAX_VALUE : one.tolerance);

    public ToleranceClass {
        if (tolerance < 0) {
            throw new IllegalArgumentException("tolerance = " + tolerance + " is negative");
        }
    }

    /**
     * Reads {@code 10} or {@code unbounded}.
     *
     * @throws IllegalArgumentException when it is neither a number from 1 nor {@code unbounded}
     */
    public static ToleranceClass parse(String text) {
        return new ToleranceClass(Tolerance.parse(text));
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return Tolerance.text(tolerance);
    }

    /** The name in JSON. */
    public String key() {
        return "tau_" + text();
    }

    public String label() {
        return "τ=" + text();
    }

    @Override
    public int compareTo(ToleranceClass other) {
        return STRICTEST_FIRST.compare(this, other);
    }
}

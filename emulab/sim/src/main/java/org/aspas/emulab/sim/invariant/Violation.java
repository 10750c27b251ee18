package org.aspas.emulab.sim.invariant;

import java.util.Locale;

/**
 * A guarantee that did not hold.
 *
 * @param guarantee its name, G1 to G10, BOUND, or {@link #EXCEPTION}
 * @param micros the virtual time in microseconds
 * @param text what was seen, in one sentence
 */
public record Violation(String guarantee, long micros, String text) {
    /** In place of a guarantee: a core or the simulator itself threw an exception. */
    public static final String EXCEPTION = "NO EXCEPTION";

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s violated at %.6f s: %s", guarantee, micros / 1e6, text);
    }
}

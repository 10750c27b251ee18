package org.aspas.emulab.experiments.result;

import java.util.Locale;
import java.util.Optional;
import org.aspas.emulab.experiments.plan.PaperClaim;

/**
 * What became of a claim.
 *
 * @param found the figure or ratio over the repetitions; empty when it is not comparable
 */
public record ClaimOutcome(PaperClaim claim, Optional<RepetitionSpread> found, Kind kind, String why) {
    public enum Kind {
        /** The median lies in the band. */
        REPEATS,
        /** It lies outside. */
        DIFFERS,
        /** There is nothing to hold against the claim. */
        NOT_COMPARABLE;

        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /** Whether the run has failed because of it. */
    public boolean fails() {
        return claim.required() && kind == Kind.DIFFERS;
    }

    /** Whether it is required, and nothing was measured that could repeat it. */
    public boolean missing() {
        return claim.required() && kind == Kind.NOT_COMPARABLE;
    }
}

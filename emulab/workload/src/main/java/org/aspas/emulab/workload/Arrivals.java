package org.aspas.emulab.workload;

import java.util.Locale;
import java.util.SplittableRandom;

/** How the moments at which operations begin are spread. */
public enum Arrivals {
    /** Independent of each other: the gaps are exponentially distributed. */
    POISSON,
    UNIFORM;

    /** The name for people and JSON. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The gap to the next operation in nanoseconds, given the mean one. */
    double gap(double meanNanos, SplittableRandom random) {
        return this == UNIFORM ? meanNanos : -meanNanos * Math.log1p(-random.nextDouble());
    }
}

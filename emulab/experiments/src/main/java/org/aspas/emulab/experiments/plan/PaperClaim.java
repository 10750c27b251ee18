package org.aspas.emulab.experiments.plan;

import org.jspecify.annotations.Nullable;

/**
 * A figure, or a ratio of two, that is expected in a band.
 *
 * @param name what is claimed, for people
 * @param source who claims it, such as a figure of the paper
 * @param paper the claimed figure, in the words of the source; empty where it gives none
 * @param figure the name of the measured figure (docs/experiments.md)
 * @param of the point that it is taken from
 * @param over the point whose figure it is divided by; null for no ratio
 * @param divisor the number that it is divided by besides, 1 for none
 * @param required whether the run fails when it is not there
 * @param incomparable why this machine cannot repeat it; empty when it can
 */
public record PaperClaim(
        String name,
        String source,
        String paper,
        String figure,
        PointSelector of,
        @Nullable PointSelector over,
        double divisor,
        TargetBand band,
        boolean required,
        String incomparable) {
    /** Whether the claim cannot be judged without a step. */
    public boolean needs(PlannedStep step) {
        PointSelector divisor = over;
        return incomparable.isEmpty() && (of.selects(step) || (divisor != null && divisor.selects(step)));
    }
}

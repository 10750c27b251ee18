package org.aspas.emulab.experiments.plan;

/**
 * Where a figure is expected.
 *
 * @param low the least value that repeats the claim
 * @param high the greatest; infinite for no bound
 */
public record TargetBand(double low, double high) {
    public boolean holds(double figure) {
        return figure >= low && figure <= high;
    }
}

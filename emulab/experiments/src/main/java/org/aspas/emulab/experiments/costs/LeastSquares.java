package org.aspas.emulab.experiments.costs;

import org.aspas.emulab.sim.processor.Linear;

/** Costs by size, and the line through them with the least squares, which goes through their mean and has no negative part. */
final class LeastSquares {
    private long count;
    private double sizes;
    private double nanos;
    private double squares;
    private double products;

    void add(double size, double cost) {
        count++;
        sizes += size;
        nanos += cost;
        squares += size * size;
        products += size * cost;
    }

    long count() {
        return count;
    }

    /** All costs together, in nanoseconds. */
    double total() {
        return nanos;
    }

    Linear line() {
        double meanSize = sizes / count;
        double meanCost = nanos / count;
        double spread = squares - sizes * meanSize;
        double slope = spread <= 1e-9 ? 0 : (products - sizes * meanCost) / spread;
        double most = meanSize == 0 ? 0 : meanCost / meanSize;
        double kept = Math.max(0, Math.min(slope, most));
        return new Linear(meanCost - kept * meanSize, kept);
    }
}

package org.aspas.emulab.sim.node;

import java.util.Arrays;
import org.aspas.emulab.sim.engine.Chance;

/**
 * A choice among as many records as the YCSB runs on real sockets have, in the same way: zipfian with YCSB's constant, so
 * that the first record is chosen most often.
 */
final class ZipfianRecords {
    private static final int RECORDS = 1_000;
    private static final double CONSTANT = 0.99;
    private static final double[] UP_TO = cumulated();

    private ZipfianRecords() {}

    private static double[] cumulated() {
        double[] sums = new double[RECORDS];
        double sum = 0;
        for (int record = 0; record < RECORDS; record++) {
            sum += 1 / Math.pow(record + 1, CONSTANT);
            sums[record] = sum;
        }
        for (int record = 0; record < RECORDS; record++) {
            sums[record] /= sum;
        }
        return sums;
    }

    static int next(Chance chance) {
        int found = Arrays.binarySearch(UP_TO, chance.fraction());
        return Math.min(RECORDS - 1, found < 0 ? -found - 1 : found);
    }
}

package org.aspas.bftcluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Power cuts of a bftserver's record, at {@code -Daspas.power-cuts} seeds from 1 on. */
class RecordPowerCutTest {
    private static final int RUNS = Integer.getInteger("aspas.power-cuts", 60);

    @Test
    void whatWasSyncedSurvivesEveryPowerCut() {
        int cuts = 0;
        int cutsInStarts = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            try {
                RecordPowerCutRun run = new RecordPowerCutRun(seed).run();
                cuts += run.cuts();
                cutsInStarts += run.cutsInStarts();
            } catch (RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
        }
        System.out.println("a bftserver's record: seeds 1 to " + RUNS + ", " + cuts + " stops, " + cutsInStarts
                + " of them in a start");
        assertThat(cuts).isGreaterThan(4 * RUNS);
        assertThat(cutsInStarts).isGreaterThan(RUNS / 20);
    }
}

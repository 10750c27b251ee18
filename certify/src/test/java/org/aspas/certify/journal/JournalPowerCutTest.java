package org.aspas.certify.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Power cuts at seeded places, with failing and full disks between them: what was synced is there, and nothing else. */
class JournalPowerCutTest {
    private static final int RUNS = 500;

    @Test
    void whatWasSyncedSurvivesEveryPowerCut() {
        int cuts = 0;
        int tails = 0;
        int healed = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            PowerCutRun run;
            try {
                run = new PowerCutRun(seed).run();
            } catch (RuntimeException | AssertionError broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
            cuts += run.cuts();
            tails += run.tailBytes() > 0 ? 1 : 0;
            healed += run.healed();
        }
        assertThat(cuts).as("power cuts").isGreaterThan(3 * RUNS);
        assertThat(tails).as("runs with a tail that was cut off").isGreaterThan(RUNS / 10);
        assertThat(healed).as("disks that failed and healed").isGreaterThan(RUNS / 10);
    }
}

package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power cuts of an appserver's whole store: nothing that left is taken back, no dot is signed twice, one chain of certificates. {@code
 * -Daspas.power-cuts=300} makes so many runs, from seed {@code -Daspas.power-cut.seed} on.
 */
class StorePowerCutTest {
    private static final int RUNS = Integer.getInteger("aspas.power-cuts", 12);
    private static final long FIRST = Long.getLong("aspas.power-cut.seed", 1);

    @TempDir
    private Path folder;

    @Test
    void whatLeftTheServerSurvivesEveryPowerCut() throws IOException {
        StorePowerCuts done = new StorePowerCuts(folder);
        for (long seed = FIRST; seed < FIRST + RUNS; seed++) {
            done.run(seed);
        }
        System.out.println("seeds " + FIRST + " to " + (FIRST + RUNS - 1) + ": " + done);
        assertThat(done.cuts()).isGreaterThanOrEqualTo(3 * RUNS);
        assertThat(done.shortened()).isPositive();
    }
}

package org.aspas.emulab.experiments.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.world.ShippedWorlds;
import org.aspas.emulab.sim.world.WorldReader;
import org.junit.jupiter.api.Test;

class ToleranceSweepTest {
    @Test
    void theSmallestToleranceWithoutWaitingIsFoundAndHolds() throws Exception {
        Settings settings = Settings.of(11)
                .withFaults(Set.of(), 1_000_000)
                .withMicros(20_000_000)
                .withClients(4, 500_000)
                .withWorkload(Workload.Mix.CLASSIC)
                .withWorld(WorldReader.read("paper", ShippedWorlds.file("paper").orElseThrow(), role -> true));
        List<ToleranceRow> told = new ArrayList<>();
        ToleranceSweep.Result result = new ToleranceSweep(settings).run(told::add);
        assertThat(told).isEqualTo(result.rows());

        ToleranceRow strict = told.get(0);
        assertThat(strict.tau()).isEqualTo(1);
        assertThat(strict.waitedShare())
                .as("each update waits for its own confirmation")
                .isEqualTo(1);
        assertThat(strict.exposure()).isEqualTo(1);
        ToleranceRow free = told.get(told.size() - 1);
        assertThat(free.tau()).isZero();
        assertThat(free.waitedShare()).isZero();
        assertThat(free.updateP50Ms()).isBetween(69.0, 80.0);
        assertThat(result.littleTau()).isPositive();
        assertThat(result.recommendedTau()).isBetween(2L, 2 + free.exposure());
        assertThat(result.validation().tau()).isEqualTo(result.recommendedTau());
        assertThat(told).allSatisfy(row -> {
            assertThat(row.violations()).isZero();
            if (row.tau() > 0) {
                assertThat(row.exposure()).isLessThanOrEqualTo(row.tau());
            }
        });
    }
}

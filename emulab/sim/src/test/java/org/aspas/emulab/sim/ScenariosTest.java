package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every named scenario but the paper's scale, which takes a minute. */
class ScenariosTest {
    static Stream<String> scenarios() {
        return Scenarios.names().stream().filter(name -> !name.equals("paper-scale"));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void keepsEveryGuarantee(String name) {
        for (long seed = 1; seed <= 2; seed++) {
            Settings settings = Scenarios.named(name).apply(seed);
            RunResult result = Simulation.run(settings);
            assertThat(result.violations())
                    .as(name + ", seed " + seed + ", " + CampaignReport.command(settings))
                    .isEmpty();
        }
    }
}

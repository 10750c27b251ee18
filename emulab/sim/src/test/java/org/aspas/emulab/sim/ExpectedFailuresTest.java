package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.emulab.sim.run.ExpectedFailures;
import org.aspas.emulab.sim.run.ExpectedFailures.ExpectedFailure;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Scenarios;
import org.aspas.emulab.sim.run.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What this version cannot survive, and says so. A scenario that passes here was cured: it belongs to those that keep every
 * guarantee, in {@code ScenariosTest}.
 */
class ExpectedFailuresTest {
    static List<String> scenarios() {
        return ExpectedFailures.names();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void failsAsItSays(String name) {
        ExpectedFailure expected = ExpectedFailures.named(name).orElseThrow();
        RunResult result = Simulation.run(expected.settings().apply(1));
        assertThat(expected.isShownBy(result))
                .as("%s, %s, but violated were: %s", name, expected.sentence(), result.violations())
                .isTrue();
    }

    @Test
    void noScenarioIsExpectedToFailAndToPass() {
        assertThat(Scenarios.names()).doesNotContainAnyElementsOf(ExpectedFailures.names());
        assertThat(Scenarios.named("record-lost-at-a-liar").apply(3).script()).isNotEmpty();
    }
}

package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.aspas.emulab.sim.script.ExpectedFailures;
import org.aspas.emulab.sim.script.ExpectedFailures.ExpectedFailure;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
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

    /**
     * A known hole (docs/security.md, "Byzantine appservers"): when it is closed, this run keeps its guarantee, and the scenario belongs to
     * the others.
     */
    @Test
    void aCopyWithWeakerDependenciesTakesAConfirmedRemovalAway() {
        Settings settings = Scenarios.named("copied-removal").apply(1);
        RunResult result = Simulation.run(settings);
        assertThat(result.violations())
                .isNotEmpty()
                .allSatisfy(violation ->
                        assertThat(violation.toString()).contains("a confirmed removal has removed nothing"));
        RunResult honest = Simulation.run(settings.withRoles(List.of()));
        assertThat(honest.violations()).as("without the liar it removes").isEmpty();
    }

    @Test
    void noScenarioIsExpectedToFailAndToPass() {
        assertThat(Scenarios.names()).doesNotContainAnyElementsOf(ExpectedFailures.names());
        assertThat(Scenarios.named("record-lost-at-a-liar").apply(3).script()).isNotEmpty();
    }
}

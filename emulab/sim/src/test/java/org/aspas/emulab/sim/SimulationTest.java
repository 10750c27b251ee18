package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.Keyring;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The short set: the long one is {@code LongSimulationTest}. */
class SimulationTest {
    static Stream<String> roles() {
        return Roles.all().stream();
    }

    private static RunResult keepsEveryGuarantee(Settings settings) {
        RunResult result = Simulation.run(settings);
        assertThat(result.violations()).as(CampaignReport.command(settings)).isEmpty();
        return result;
    }

    @Test
    void oneSeedIsOneRun() {
        Settings settings = Settings.of(7).withRoles(List.of("replaying", "replica-noise"));
        RunResult once = Simulation.run(settings);
        RunResult again = Simulation.run(settings);
        assertThat(again.traceHash()).isEqualTo(once.traceHash());
        assertThat(again.events()).isEqualTo(once.events()).isPositive();
        assertThat(Simulation.run(settings.withSeed(8)).traceHash()).isNotEqualTo(once.traceHash());
    }

    @Test
    void honestRunsUnderFaultsKeepEveryGuarantee() {
        for (long seed = 1; seed <= 20; seed++) {
            RunResult result = keepsEveryGuarantee(Settings.of(seed));
            assertThat(result.figures().confirmations()).as("seed " + seed).isPositive();
            assertThat(result.detections()).as("seed " + seed).isEmpty();
        }
    }

    @Test
    void withoutFaultsEveryUpdateIsConfirmed() {
        RunResult result = keepsEveryGuarantee(Settings.of(3).withFaults(Set.of(), 1_000_000));
        assertThat(result.accounting().reported()).isZero();
        assertThat(result.accounting().lost()).isZero();
        assertThat(result.accounting().forgotten()).isZero();
        assertThat(result.accounting().confirmed())
                .isEqualTo(result.accounting().updates())
                .isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void moreServers(int f) {
        keepsEveryGuarantee(Settings.of(40 + f).withFaultBounds(f, 1).withMicros(6_000_000));
    }

    @Test
    void realSignaturesGiveTheSameCourse() {
        Settings settings = Settings.of(5).withMicros(3_000_000);
        RunResult fast = keepsEveryGuarantee(settings);
        RunResult real = keepsEveryGuarantee(settings.withKeyring(Keyring.REAL));
        assertThat(real.figures().confirmations()).isEqualTo(fast.figures().confirmations());
    }

    @ParameterizedTest
    @MethodSource("roles")
    void everyRoleIsBorne(String role) {
        keepsEveryGuarantee(Settings.of(1).withMicros(6_000_000).withRoles(List.of(role)));
    }
}

package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/** A few runs with everything that can happen to stores and records; the campaigns have thousands (docs/simulator.md). */
class StoresTest {
    private static final int RUNS = 16;

    private static Settings settings(long seed) {
        Set<Fault.Kind> kinds = EnumSet.copyOf(Fault.Kind.USUAL);
        kinds.addAll(Fault.Kind.STORES);
        return Settings.of(seed)
                .withFaultBounds(1 + (int) (seed % 2), 1)
                .withMicros(7_200_000)
                .withFaults(kinds, 800_000)
                .withWary(true)
                .withRetained(3);
    }

    @Test
    void lostOldAndShortenedStoresBreakNoGuarantee() {
        List<RunResult> results = new ArrayList<>();
        for (long seed = 11; seed < 11 + RUNS; seed++) {
            RunResult result = Simulation.run(settings(seed));
            assertThat(result.violations())
                    .as(CampaignReport.command(result.settings()))
                    .isEmpty();
            results.add(result);
        }
        CampaignReport report = new CampaignReport(results, 1);
        assertThat(report.sum(result -> result.stores().forgetful())).isPositive();
        assertThat(report.sum(result -> result.stores().amnesiac())).isPositive();
        assertThat(report.sum(result -> result.stores().snapshots())).isPositive();
        assertThat(report.sum(result -> result.stores().sums())).isPositive();
        assertThat(report.sum(result -> result.stores().basesLost())).isPositive();
    }

    /** Where f = 2 one of the f may lie, and another one forget. */
    @Test
    void liarsAndTheForgetfulShareTheF() {
        long both = 0;
        for (long seed = 1; seed <= 6; seed++) {
            RunResult result =
                    Simulation.run(settings(seed).withFaultBounds(2, 1).withRoles(List.of("wrong-values")));
            assertThat(result.violations())
                    .as(CampaignReport.command(result.settings()))
                    .isEmpty();
            assertThat(result.stores().forgetful()).isLessThan(2);
            both += result.stores().forgetful() > 0 && result.misdoers() > 0 ? 1 : 0;
        }
        assertThat(both).isPositive();
    }

    @Test
    void theCommandOfARunNamesItsStoresAndItsKey() {
        Settings settings = settings(5).withSchedule(Settings.ONE_KEY);
        assertThat(CampaignReport.command(settings))
                .contains("--faults all,stores")
                .contains("--one-key")
                .contains("--retained 3");
        assertThat(CampaignReport.command(Settings.of(5))).doesNotContain("--faults");
    }
}

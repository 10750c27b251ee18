package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.script.Campaign;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long set, {@code mvn verify -Psimulation}: f = 1, 2 and 3 in turn; of every ten runs one honest, seven with each role
 * in turn, two with a random mix; every third keeps so little that servers that were away need snapshots. The first seed is
 * random, and printed: {@code -Daspas.simulation.seed=S} repeats a campaign, {@code -Daspas.simulation.runs=N} says how long it
 * is. The figures are written to {@code target/simulation.json}.
 */
@Tag("simulation")
class LongSimulationTest {
    private static final int RUNS = Integer.getInteger("aspas.simulation.runs", 10_000);
    private static final long SEED =
            Long.getLong("aspas.simulation.seed", new SecureRandom().nextInt(Integer.MAX_VALUE));
    private static final int LITTLE = 3;

    private static Settings settings(int run) {
        List<String> all = Roles.all();
        SeededRandom chance = new SeededRandom(SEED + run).stream("roles");
        List<String> roles = switch (run % 10) {
            case 0 -> List.of();
            case 1, 2 -> chance.shuffled(all).subList(0, 2 + chance.index(3));
            default ->
                List.of(all.get(
                        run / 10 * 7 % all.size() + run % 10 < all.size()
                                ? run / 10 * 7 % all.size() + run % 10
                                : chance.index(all.size())));
        };
        Settings usual = Settings.of(SEED + run).withFaultBounds(1 + run % 3, 1).withRoles(roles);
        return chance.index(3) == 0 ? usual.withRetained(LITTLE) : usual;
    }

    @Test
    void noGuaranteeIsViolated() throws IOException {
        System.out.println("Seeds from " + SEED + " on: -Daspas.simulation.seed=" + SEED + " repeats them");
        long start = System.nanoTime();
        List<RunResult> results = Campaign.run(
                RUNS,
                LongSimulationTest::settings,
                run -> run < RUNS / 3,
                Runtime.getRuntime().availableProcessors(),
                result -> {
                    if (!result.violations().isEmpty()) {
                        System.out.println(CampaignReport.line(result));
                        System.out.println(CampaignReport.command(result.settings()));
                    }
                });
        CampaignReport report = new CampaignReport(results, (System.nanoTime() - start) / 1e9);
        System.out.print(report.summary());
        report.write(Path.of("target", "simulation.json"));
        assertThat(report.violatingRuns()).isZero();
        assertThat(report.roleViolations()).isEmpty();
    }
}

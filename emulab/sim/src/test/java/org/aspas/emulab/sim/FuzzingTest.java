package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.sim.fuzz.FieldCoverage;
import org.aspas.emulab.sim.fuzz.Fields;
import org.aspas.emulab.sim.report.CampaignReport;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Settings;
import org.aspas.emulab.sim.run.Simulation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every field of every kind of message is changed by a party that signs again, and no guarantee falls. */
class FuzzingTest {
    private static final List<String> ROLES =
            List.of("fuzzing-fields", "replica-fuzzing-fields", "client-fuzzing-fields");

    private static Settings settings(int run) {
        return Settings.of(500 + run)
                .withFaultBounds(1 + run % 3, 1)
                .withClients(8, 300_000)
                .withMicros(6_000_000)
                .withWary(true)
                .withRoles(ROLES);
    }

    private static void play(int run, FieldCoverage sum) {
        RunResult result = Simulation.run(settings(run));
        assertThat(result.violations())
                .as(CampaignReport.command(result.settings()))
                .isEmpty();
        sum.add(result.coverage());
    }

    private static long least(FieldCoverage coverage) {
        return Fields.all().stream().mapToLong(coverage::changed).min().orElse(0);
    }

    private static void covers(FieldCoverage sum, int times) {
        assertThat(Fields.all()).as(sum.table()).allMatch(field -> sum.changed(field) >= times);
        assertThat(2 * sum.reached()).as(sum.table()).isGreaterThanOrEqualTo(sum.frames());
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void everyFieldOfEveryKindIsChanged() {
        FieldCoverage sum = new FieldCoverage();
        for (int run = 0; run < 4 || (least(sum) < 1 && run < 20); run++) {
            play(run, sum);
        }
        covers(sum, 1);
    }

    /** {@code mvn verify -Psimulation}: at least a hundred times, over at least so many runs as that takes. */
    @Tag("simulation")
    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void everyFieldOfEveryKindIsChangedAHundredTimes() {
        FieldCoverage sum = new FieldCoverage();
        for (int run = 0; run < 100 || (least(sum) < 100 && run < 500); run++) {
            play(run, sum);
        }
        System.out.print(sum.table());
        covers(sum, 100);
    }
}

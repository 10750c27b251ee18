package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.adversary.Fields;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every field of every kind of message is changed by a party that signs again, and no guarantee falls. */
class FuzzingTest {
    private static final List<String> ROLES =
            List.of("fuzzing-fields", "replica-fuzzing-fields", "client-fuzzing-fields");

    /** In every second run an appserver comes late and needs a snapshot. */
    private static Settings settings(int run) {
        Settings settings = Settings.of(500 + run)
                .withFaultBounds(1 + run % 3, 1)
                .withClients(8, 300_000)
                .withMicros(6_000_000)
                .withWary(true)
                .withRoles(ROLES);
        return run % 2 == 0 ? settings : withLateServer(settings, run);
    }

    private static Settings withLateServer(Settings settings, int run) {
        NodeId late = NodeId.appserver(run / 2 % settings.quorums().appservers());
        List<NodeId> whom = List.of(late);
        Fault fault = new Fault(-1, Fault.Kind.LATE_JOIN, 0, 6_000_000, whom, List.of(), 0, Conditions.CALM);
        return settings.withMicros(10_000_000).withRetained(4).withScript(List.of(fault));
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

package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tags spare signatures where nobody lies, and whoever makes bad use of them is found as if there were none. */
class TagsTest {
    private static RunResult calm(long seed, int clients, long pause, String... roles) {
        Settings settings = Settings.of(seed)
                .withFaults(Set.of(), 1_000_000)
                .withClients(clients, pause)
                .withMicros(5_000_000)
                .withRoles(List.of(roles));
        RunResult result = Simulation.run(settings);
        assertThat(result.violations()).as(CampaignReport.command(settings)).isEmpty();
        return result;
    }

    private static Set<String> excluded(RunResult result) {
        return result.detections().stream()
                .filter(one -> one.kind() == Detection.Kind.EXCLUDED)
                .map(Detection::culprit)
                .collect(Collectors.toSet());
    }

    @Test
    void mostRequestsOfOtherLogsAreTakenByTheirTags() {
        RunResult.Tags tags = calm(960_000, 5, 50_000).tags();
        assertThat(tags.share()).as(tags.toString()).isGreaterThan(0.5);
        // A request that comes with the record of its session is held against the session before.
        assertThat(tags.wrong()).as(tags.toString()).isLessThan(tags.right() / 20);
    }

    /** With twelve clients for four servers and no faults, each misdeed of a role that is provable must end in an exclusion (G8). */
    @ParameterizedTest
    @ValueSource(strings = {"tagged-forgeries", "stolen-secrets"})
    void aServerWithBadlySignedEntriesIsExcluded(String role) {
        assertThat(excluded(calm(960_001, 12, 200_000, role))).anyMatch(culprit -> culprit.startsWith("appserver-"));
    }

    /** All servers take the first forgeries by their tags; then the client's own contents have them looked at, and each other. */
    @Test
    void aClientDoesNotHideBehindForgeries() {
        assertThat(excluded(calm(960_002, 12, 200_000, "bodyguard")))
                .contains("bodyguard")
                .anyMatch(culprit -> culprit.startsWith("appserver-"));
    }

    @Test
    void withoutTagsSignaturesDecide() {
        RunResult.Tags tags = calm(960_003, 5, 50_000, "stripped-tags").tags();
        assertThat(tags.absent()).as(tags.toString()).isGreaterThan(tags.unknown());
    }
}

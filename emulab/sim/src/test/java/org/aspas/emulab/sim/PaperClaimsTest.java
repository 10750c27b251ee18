package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the paper claims of the whole system, one test per claim, with its section. */
class PaperClaimsTest {
    private static final long ROUND_TRIP = 70_000;

    private static Settings calm(long seed) {
        return Settings.of(seed)
                .withFaults(Set.of(), 1_000_000)
                .withRoundTrip(ROUND_TRIP)
                .withMicros(8_000_000);
    }

    private static RunResult unviolated(Settings settings) {
        RunResult result = Simulation.run(settings);
        assertThat(result.violations()).isEmpty();
        return result;
    }

    @Test
    @DisplayName(
            "§3.3: the appserver replies at once; a client that tolerates unconfirmed updates waits one round trip")
    void oneRoundTrip() {
        RunResult result = unviolated(calm(1));
        assertThat(result.figures().latency(0.2)).isBetween(ROUND_TRIP, ROUND_TRIP + 1_000);
    }

    @Test
    @DisplayName("§3.3, §3.5: certification is off the critical path: answers go on while the BFT cluster stands still")
    void answersWithoutTheCluster() {
        RunResult result = unviolated(
                Scenarios.named("cluster-stopped-for-a-minute").apply(2).withTolerance(0));
        assertThat(result.figures().latency(0.95)).isLessThan(100_000);
        assertThat(result.figures().answers()).isEqualTo(result.figures().submissions());
    }

    @Test
    @DisplayName("§3.3: an appserver that reaches nobody else serves its clients (availability under partition)")
    void answersAlone() {
        RunResult result = unviolated(Scenarios.named("one-appserver-alone").apply(3));
        assertThat(result.figures().answers()).isEqualTo(result.figures().submissions());
    }

    @Test
    @DisplayName(
            "§3.6, Stable versions: low and high reports of f appservers neither stop certificates nor push them ahead")
    void lyingReports() {
        RunResult result = unviolated(calm(4).withRoles(List.of("lying-reports")));
        assertThat(result.certificates()).isGreaterThan(5);
    }

    @Test
    @DisplayName("§3.2: f silent appservers among 3f+1 stop no certificate")
    void silentAppservers() {
        RunResult result = unviolated(calm(5).withFaultBounds(2, 1).withRoles(List.of("silent")));
        assertThat(result.certificates()).isGreaterThan(5);
    }

    @Test
    @DisplayName("§3.2: b silent bftservers among 3b+1 stop no certificate")
    void silentBftservers() {
        RunResult result = unviolated(calm(6).withRoles(List.of("replica-silent")));
        assertThat(result.certificates()).isGreaterThan(5);
    }

    @Test
    @DisplayName("§3.4: CRDTs converge whatever the order of delivery")
    void convergence() {
        unviolated(Settings.of(7));
    }
}

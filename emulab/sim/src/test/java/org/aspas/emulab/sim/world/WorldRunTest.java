package org.aspas.emulab.sim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/** The simulator in worlds: distances, and every event of a timeline. */
class WorldRunTest {
    private static final long SECOND = 1_000_000;
    private static final String THREE_SITES = """
        name: three sites
        about: Three towns, far apart.
        sites:
          eu: {near: Dublin, at: [53.35, -6.26]}
          us: {near: Montreal, at: [45.50, -73.57]}
          ap: {near: Singapore, at: [1.35, 103.82]}
        round_trips_ms:
          eu: {us: 72.2, ap: 175.7}
          us: {ap: 206}
        jitter: 2 %
        placement:
          appservers: [eu, us, ap, us]
          bftservers: [eu, us, ap, us]
          clients: [eu, us, ap]
        """;

    private static RunResult run(String world, int clients, long seconds) throws MalformedFileException {
        WorldMap map = WorldReader.read("test", world, Roles::isServer);
        return Simulation.run(Settings.of(1)
                .withFaults(Set.of(), SECOND)
                .withClients(clients, 300_000)
                .withMicros(seconds * SECOND)
                .withTolerance(0)
                .withWorld(map));
    }

    private static RunResult shipped(String name) throws MalformedFileException {
        return run(ShippedWorlds.file(name).orElseThrow(), 9, 4);
    }

    @Test
    void clientsWaitForOneRoundTripInEveryShippedWorld() throws MalformedFileException {
        assertThat(shipped("paper").figures().latency(0.5)).isBetween(70_000L, 70_100L);
        assertThat(shipped("lan").figures().latency(0.5)).isBetween(400L, 450L);
        RunResult aws = shipped("aws5");
        assertThat(aws.violations()).isEmpty();
        assertThat(aws.figures().latency(0.5))
                .as("most clients have an appserver in their region")
                .isLessThan(1_000);
        assertThat(aws.figures().latency(0.95))
                .as("those in sao paulo have not")
                .isBetween(124_300L, 127_000L);
    }

    @Test
    void bytesTakeTheirTimeToEnterANarrowLink() throws MalformedFileException {
        String lan = ShippedWorlds.file("lan").orElseThrow();
        RunResult narrow = run(lan + "\nbandwidth_mbit: 1\n", 9, 4);
        assertThat(narrow.violations()).isEmpty();
        assertThat(narrow.figures().latency(0.5))
                .as("a request and its answer of some hundred bytes each, at 8 us a byte")
                .isBetween(2_000L, 20_000L);
        assertThat(narrow.figures().lag(0.5))
                .isGreaterThan(shipped("lan").figures().lag(0.5));
    }

    @Test
    void certificatesTakeLongerWhereTheOrderHasFartherToGo() throws MalformedFileException {
        assertThat(shipped("aws5").figures().lag(0.5))
                .isGreaterThan(shipped("paper").figures().lag(0.5));
    }

    @Test
    void everyEventOfATimelineHappensAndAllGuaranteesHold() throws MalformedFileException {
        RunResult result = run(THREE_SITES + """
            faults:
              - {at: 2 s, for: 3 s, partition: [[eu], [us, ap]]}
              - {at: 6 s, for: 2 s, slow: [us, ap], by: 300 ms}
              - {at: 9 s, for: 1500 ms, freeze: appserver-1}
              - {at: 11 s, for: 2 s, freeze: bftserver-2}
              - {at: 14 s, for: 2 s, kill: appserver-0}
              - {at: 16 s, for: 20 s, kill: bftserver-0}
              - {at: 90 s, for: 1 s, kill: appserver-2}
            """, 9, 18);
        assertThat(result.violations()).isEmpty();
        assertThat(result.figures().latency(0.99))
                .as("some waited for the partition")
                .isGreaterThan(SECOND);
    }

    @Test
    void aServerThatTurnsByzantineIsExcluded() throws MalformedFileException {
        RunResult result = run(THREE_SITES + "faults:\n  - {at: 4 s, byzantine: appserver-3, role: forking}\n", 24, 14);
        assertThat(result.violations()).isEmpty();
        assertThat(result.detections())
                .anySatisfy(detection -> assertThat(detection.kind()).isEqualTo(Detection.Kind.EXCLUDED))
                .allSatisfy(detection -> assertThat(detection.micros()).isGreaterThan(4 * SECOND))
                .allSatisfy(detection -> assertThat(detection.culprit()).isEqualTo("appserver-3"));
    }

    @Test
    void moreLiarsThanFAreRefused() {
        assertThatThrownBy(() -> run(THREE_SITES + """
            faults:
              - {at: 1 s, byzantine: appserver-3, role: forking}
              - {at: 1 s, byzantine: appserver-2, role: mute}
            """, 9, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 Byzantine appservers, and f is 1");
    }
}

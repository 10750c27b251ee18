package org.aspas.emulab.sim.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scripts mean, and what is said of those that mean nothing. */
class ScenarioTest {
    private static Scenario read(String... lines) throws MalformedFileException {
        Map<String, Scenario> all = new TreeMap<>();
        Scenarios.read("it.txt", "# A comment.\nscenario it\n" + String.join("\n", lines), all);
        return all.get("it");
    }

    private static Settings settings(long seed, String... lines) throws MalformedFileException {
        return read(lines).settings(seed);
    }

    /** Reads the order of events, too. */
    private static void join(String... lines) throws MalformedFileException {
        Schedule.of(read(lines)).join(new SimulatedSystem(Settings.of(1), List.of()));
    }

    @Test
    void settingsReplaceTheUsualOnes() throws MalformedFileException {
        assertThat(settings(3, "seconds 2.5", "clients 7 every 20", "rtt 70 # as the paper", "tolerance 0", "wary"))
                .isEqualTo(Settings.of(3)
                        .withMicros(2_500_000)
                        .withClients(7, 20_000)
                        .withRoundTrip(70_000)
                        .withTolerance(0)
                        .withWary(true));
    }

    @Test
    void theSeedChoosesOneOfSeveral() throws MalformedFileException {
        List<List<String>> roles = List.of(List.of("forking"), List.of("silent", "mute"), List.of("forking"));
        for (int seed = 1; seed <= 3; seed++) {
            assertThat(settings(seed, "roles forking | silent mute").roles())
                    .as("seed %d", seed)
                    .isEqualTo(roles.get(seed - 1));
        }
        assertThat(settings(-1, "f 1 | 2").f()).as("also below zero").isEqualTo(1);
    }

    @Test
    void aFaultHappensToThePartiesOfItsTurn() throws MalformedFileException {
        List<Fault> faults = settings(
                        5, "fault disk_lost disk_torn 1 1.5 bftserver-seed+i, 3 times 2 apart, seed % 3 * 10 later")
                .script();
        assertThat(faults)
                .extracting(Fault::toString)
                .containsExactly(
                        "#-1 DISK_TORN 1.020-1.520 s [bftserver-1]",
                        "#-2 DISK_LOST 3.020-3.520 s [bftserver-2]",
                        "#-3 DISK_LOST 5.020-5.520 s [bftserver-3]");
    }

    @Test
    void otherServersAndTheClientsOfOneAreKnownBeforeTheRun() throws MalformedFileException {
        List<Fault> faults = settings(
                        2,
                        "clients 8 every 100",
                        "fault partition 1 2 appserver-seed against others",
                        "fault client_crash 1 2 clients of appserver-seed")
                .script();
        assertThat(faults.get(0).some()).containsExactly(NodeId.appserver(2));
        assertThat(faults.get(0).others()).hasSize(7).doesNotContain(NodeId.appserver(2));
        assertThat(faults.subList(1, faults.size())).extracting(Fault::client).containsExactly(2, 6);
    }

    @Test
    void whatIsLikeAnotherHasAllItsLines() throws MalformedFileException {
        Map<String, Scenario> all = new TreeMap<>();
        Scenarios.read("it.txt", "scenario one\nidle\nwary\nscenario two\nlike one\nretained 4", all);
        assertThat(all.get("two").settings(1))
                .isEqualTo(Settings.of(1).withWary(true).withRetained(4).withSchedule("two"));
        assertThat(all.get("two").has("idle")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            on SHAER                                 | expected an event, one of
            on SHARE by appserver-x                  | expected a party such as appserver-0
            on SHARE, at often 4 times               | expected "most", but there is often
            on SHARE: crash                          | but the line ends
            on SHARE: hold FRONTIER against liars    | expected the end of the line, but there is against
            on SHARE: explode                        | "explode" is nothing that is done
            on new FRONTIER                          | expected an event, one of SHARE, STABLE, certificate
            then on SHARE                            | "then" needs a line with "on" above
            on crashed, least 2 times                | expected from, once, while, "at most", "at least", or a pause
            on crashed: add "x by it                 | expected an element
            at soon: release                         | expected a moment in seconds, a number from 0.0 to
            at 1, 0 times 1 apart: release           | expected how often, or unless, a number from 1.0 to
            never count shares by                    | expected a party
            never explode                            | expected an event, one of
            idle now                                 | expected the end of the line, but there is now
            fault crash 2 1 appserver-0              | the fault ends before it begins
            fault crash 1 2 liars                    | expected a party such as appserver-0
            fault crash 1 2 appserver-0, 2 times     | expected a pause in seconds
            fault burn 1 2 appserver-0               | expected a kind of fault, one of amnesia, base_lost
            clients many every 3                     | expected how many clients, a number from 1.0 to
            clients 2.5 every 3                      | expected how many clients, a whole number, but there is 2.5
            clients 3 each 3                         | expected "every", but there is each
            chance crash                             | expected none, every, or a kind of fault, one of
            wary very                                | expected the end of the line, but there is very
            wairy                                    | there is no command "wairy"
            like that                                | expected a scenario above
            fails G7                                 | expected ":", but the line ends
            """)
    void aMistakeIsToldWithItsLineAndWhatWasExpected(String line, String mistake) {
        assertThatThrownBy(() -> join("os", line))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith("it.txt:4: ")
                .hasMessageContaining(mistake);
    }

    @Test
    void linesNeedAScenarioOfTheirOwn() {
        assertThatThrownBy(() -> Scenarios.read("it.txt", "wary", new TreeMap<>()))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage("it.txt:1: expected \"scenario\", but there is wary");
        assertThatThrownBy(() -> Scenarios.read("it.txt", "scenario it\nscenario it", new TreeMap<>()))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage("it.txt:2: there is another it above");
        assertThatThrownBy(() -> Scenario.read("it.txt", "wary\nhold SHARE"))
                .isInstanceOf(MalformedFileException.class)
                .hasMessage("it.txt:2: there is no command \"hold\"");
    }

    @Test
    void allShippedOnesCanBeReadWithAnySeed() {
        Scenarios.all().values().forEach(scenario -> {
            IntStream.range(-3, 15)
                    .forEach(seed -> assertThat(scenario.settings(seed).seed())
                            .as(scenario.name())
                            .isEqualTo(seed));
            Settings settings = scenario.settings(1).withClients(4, 0);
            assertThat(new SimulatedSystem(settings, settings.script()).settings)
                    .as("the order of events in %s", scenario.name())
                    .isEqualTo(settings);
        });
    }

    @Test
    void aSituationThatDoesNotComeAboutIsAViolation() {
        RunResult result =
                Simulation.run(Scenarios.named("fork-seen-by-all").apply(1).withRoles(List.of()));
        assertThat(result.violations())
                .extracting(Violation::text)
                .singleElement()
                .asString()
                .startsWith("the situation did not come about: protocol.txt:")
                .contains("on forked, once: release");
    }

    @Test
    void whatMustNeverHappenIsAViolation() {
        RunResult result =
                Simulation.run(Scenarios.named("honest-and-watchful").apply(1).withRoles(List.of("wrong-values")));
        assertThat(result.violations())
                .extracting(Violation::text)
                .anySatisfy(text -> assertThat(text).contains("against protocol.txt:", "never complained blamed"));
    }
}

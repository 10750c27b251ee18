package org.aspas.emulab.experiments.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.aspas.emulab.sim.world.MalformedFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanReaderTest {
    private static final PlanVocabulary WORDS = new PlanVocabulary(
            new PlanVocabulary.Names(List.of("aspas2", "ap"), List.of("A counters", "A sets")),
            new PlanVocabulary.Names(List.of("aspas2", "ap"), List.of("A sets")),
            List.of("update_p50_ms", "operations_per_second"));

    private static final String SMALL = """
        name: small
        about: Two systems beside each other.
        seed: 7
        systems: [aspas2, ap]
        worlds: lan
        repetitions: 2
        warmup: 5 s
        duration: 20 s
        parts:
          - {name: counters, workloads: A counters, clients: [1, 10]}
          - {name: sets, workloads: A sets, clients: 4, f: 2, on: simulator}
        quick: {clients: [3], repetitions: 1, duration: 2 s}
        claims:
          - claim: as fast as without certificates
            source: Figure 4a
            paper: about 1
            figure: update_p50_ms
            of: {part: counters, system: aspas2, clients: 10}
            over: {part: counters, system: ap, clients: 10}
            band: -1.05
            required: true
          - claim: fifty machines
            not_comparable: there is one machine
        """;

    /** Two worlds, one with a timeline, and one file of costs. */
    private static final class Known implements PlanFiles {
        @Override
        public boolean hasWorld(String name) {
            return name.equals("lan") || name.equals("broken");
        }

        @Override
        public boolean hasTimeline(String world) {
            return world.equals("broken");
        }

        @Override
        public boolean hasCosts(String file) {
            return file.equals("costs.json");
        }
    }

    private static ExperimentPlan read(String text, boolean quick) throws MalformedFileException {
        return PlanReader.read("small.yaml", text, quick, WORDS, new Known());
    }

    @Test
    void stepsTakeTurnsForwardsAndBackwards() throws MalformedFileException {
        assertThat(read(SMALL, false).steps())
                .extracting(PlannedStep::id)
                .startsWith(
                        "counters-aspas2-lan-a-counters-1-r1",
                        "counters-ap-lan-a-counters-1-r1",
                        "counters-ap-lan-a-counters-1-r2",
                        "counters-aspas2-lan-a-counters-1-r2",
                        "counters-aspas2-lan-a-counters-10-r1")
                .hasSize(12)
                .doesNotHaveDuplicates();
    }

    @Test
    void partsTakeWhatTheyDoNotSayFromTheWhole() throws MalformedFileException {
        ExperimentPlan plan = read(SMALL, false);
        PlannedStep last = plan.steps().get(11);
        assertThat(last)
                .isEqualTo(new PlannedStep(
                        "sets",
                        Substrate.SIMULATOR,
                        "aspas2",
                        "lan",
                        "A sets",
                        4,
                        2,
                        5_000_000,
                        5_000_000,
                        20_000_000,
                        2,
                        1,
                        StepLoad.USUAL,
                        8));
        assertThat(plan.plannedMicros()).as("the part on sockets alone").isEqualTo(8 * 25_000_000L);
        assertThat(plan.claims()).extracting(PaperClaim::required).containsExactly(true, false);
        assertThat(plan.claims().get(0).band()).isEqualTo(new TargetBand(0, 1.05));
        assertThat(plan.claims().get(1).incomparable()).isEqualTo("there is one machine");
    }

    @Test
    void aPartSaysHowItsClientsLoadIt() throws MalformedFileException {
        assertThat(read(SMALL, false).steps().get(0).load()).isEqualTo(StepLoad.USUAL);
        String open =
                SMALL.replace("A counters, clients", "A counters, rate: 50, tau: {1: 20, unbounded: 80}, clients");
        assertThat(read(open, false).steps().get(0).load())
                .isEqualTo(new StepLoad(50, 1, Map.of("1", 20, "unbounded", 80)));
        String closed = SMALL.replace("A counters, clients", "A counters, open_updates: 4, clients");
        assertThat(read(closed, false).steps().get(0).load()).isEqualTo(new StepLoad(0, 4, Map.of()));
    }

    @Test
    void costsAreMeasuredUnlessTheFileNamesThem() throws MalformedFileException {
        assertThat(read(SMALL, false).costs()).isEmpty();
        assertThat(read(SMALL + "costs: costs.json\n", false).costs()).isEqualTo("costs.json");
    }

    @Test
    void theQuickBlockShortensEveryPart() throws MalformedFileException {
        List<PlannedStep> steps = read(SMALL, true).steps();
        assertThat(steps).hasSize(4).allSatisfy(step -> {
            assertThat(step.clients()).isEqualTo(3);
            assertThat(step.micros()).isEqualTo(2_000_000);
            assertThat(step.warmUpMicros()).isEqualTo(5_000_000);
        });
    }

    @Test
    void aPartsOwnQuickBlockComesBeforeThatOfTheWhole() throws MalformedFileException {
        String text = SMALL.replace(
                "workloads: A counters, clients: [1, 10]}",
                "workloads: A counters, clients: [1, 10], quick: {systems: ap, clients: [1, 10]}}");
        assertThat(read(text, true).steps())
                .extracting(PlannedStep::id)
                .containsExactly(
                        "counters-ap-lan-a-counters-1-r1",
                        "counters-ap-lan-a-counters-10-r1",
                        "sets-aspas2-lan-a-sets-3-r1",
                        "sets-ap-lan-a-sets-3-r1");
        assertThat(read(text, false).steps()).hasSize(12);
    }

    @Test
    void aSystemIsWarmedUpOnceInEachProcess() throws MalformedFileException {
        String text = SMALL.replace("warmup: 5 s", "warmup: 5 s\nrewarm: 1 s");
        assertThat(read(text, false).plannedMicros())
                .as("two systems for the first time, six steps again")
                .isEqualTo(2 * 25_000_000L + 6 * 21_000_000L);
    }

    @Test
    void aSelectionIsOfPartsInTheirNewOrderOrOfThePointsThatClaimsNeed() throws MalformedFileException {
        ExperimentPlan plan = read(SMALL, false);
        assertThat(StepSelection.ALL.of(plan)).isEqualTo(plan.steps());
        assertThat(new StepSelection(List.of("sets", "counters"), false, false).of(plan))
                .hasSize(12)
                .extracting(PlannedStep::part)
                .startsWith("sets", "sets", "sets", "sets", "counters");
        assertThat(new StepSelection(List.of(), true, false).of(plan))
                .extracting(PlannedStep::id)
                .containsExactly(
                        "counters-aspas2-lan-a-counters-10-r1",
                        "counters-ap-lan-a-counters-10-r1",
                        "counters-ap-lan-a-counters-10-r2",
                        "counters-aspas2-lan-a-counters-10-r2");
        assertThatThrownBy(() -> new StepSelection(List.of("set"), false, false).of(plan))
                .hasMessage("--only: there is no part set: parts are counters, sets");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name: small | name: a b | small.yaml:1: name is a b: it takes letters, digits and hyphens",
                "seed: 7 | sed: 7 | small.yaml:3: unknown key sed",
                "[aspas2, ap] | [aspas2, bft] | small.yaml:4: there is no system bft: known are aspas2, ap",
                "worlds: lan | worlds: moon | small.yaml:5: there is no world and no readable file moon",
                "repetitions: 2 | repetitions: 0 | small.yaml:6: repetitions is 0: it takes a number from 1 to 100",
                "repetitions: 2 | repetitions: 1.5 | small.yaml:6: repetitions is 1.5: it takes a whole number",
                "warmup: 5 s | warmup: 5 | small.yaml:7: warmup is 5: it takes a time such as 250 ms",
                "duration: 20 s | duration: 2 h | small.yaml:8: 2 h is longer than an hour",
                "clients: 4, f: 2 | clients: 4, quick: {on: x} | small.yaml:11: unknown key on",
                "name: sets | name: counters | small.yaml:11: two parts are called counters",
                "on: simulator | on: paper | small.yaml:11: on is paper: it takes sockets or simulator",
                "workloads: A sets | workloads: A counters | small.yaml:11: there is no workload A counters in the"
                        + " simulator",
                "worlds: lan | worlds: broken | small.yaml:5: the world broken has a timeline: a simulated part takes"
                        + " none",
                "seed: 7 | rate: 0 | small.yaml:3: rate is 0: it takes a number from 1 to 1,000,000",
                "seed: 7 | rate: 5 | small.yaml:3: rate is for parts on sockets",
                "A counters, clients | A counters, rate: 5, open_updates: 2, clients | small.yaml:10: rate opens as"
                        + " many",
                "A counters, clients | A counters, tau: {1: 20, unbounded: 40}, clients | small.yaml:10: tau: the shares",
                "seed: 7 | costs: none.json | small.yaml:3: there is no readable file none.json",
                "workloads: A sets | workloads: Z sets | small.yaml:11: there is no workload Z sets",
                "figure: update_p50_ms | figure: speed | small.yaml:17: there is no figure speed",
                "aspas2, clients: 10} | aspas2} | small.yaml:18: this selects 2 points",
                "ap, clients: 10} | ap, clients: 11} | small.yaml:19: this selects no point of the experiment",
                "band: -1.05 | band: 2-1 | small.yaml:20: band is 2-1: the lower number comes first"
            })
    void aMistakeIsOneErrorWithItsLine(String right, String wrong, String error) {
        String text = SMALL.replace(right, wrong);
        assertThat(text).isNotEqualTo(SMALL);
        assertThatThrownBy(() -> read(text, false))
                .isInstanceOf(MalformedFileException.class)
                .hasMessageStartingWith(error);
    }

    @Test
    void aQuickRunNeedsAQuickBlock() {
        String text = SMALL.replaceAll("quick: .*\n", "");
        assertThatThrownBy(() -> read(text, true)).hasMessageContaining("no quick block");
    }

    @Test
    void aPointThatAQuickRunLeavesOutIsNoMistake() throws MalformedFileException {
        assertThat(read(SMALL, true).claims()).hasSize(2);
    }
}

package org.aspas.emulab.experiments.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.aspas.emulab.experiments.plan.PaperClaim;
import org.aspas.emulab.experiments.plan.PlannedStep;
import org.aspas.emulab.experiments.plan.PointSelector;
import org.aspas.emulab.experiments.plan.StepLoad;
import org.aspas.emulab.experiments.plan.Substrate;
import org.aspas.emulab.experiments.plan.TargetBand;
import org.aspas.emulab.experiments.result.ClaimOutcome.Kind;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ClaimJudgeTest {
    private final List<MeasuredStep> steps = new ArrayList<>();

    private void measured(String system, int repetition, double millis, String... invalid) {
        measured(system, repetition, new TreeMap<>(Map.of("update_p50_ms", millis)), invalid);
    }

    private void measured(String system, int repetition, TreeMap<String, Double> figures, String... invalid) {
        PlannedStep step = new PlannedStep(
                "all",
                Substrate.SOCKETS,
                system,
                "lan",
                "A counters",
                4,
                repetition,
                0,
                0,
                1_000_000,
                1,
                1,
                StepLoad.USUAL,
                repetition);
        steps.add(new MeasuredStep(step, figures, List.of(invalid), List.of(), List.of()));
    }

    private static PointSelector system(String name) {
        return new PointSelector(null, name, null, null, 0);
    }

    private ClaimOutcome judged(String figure, TargetBand band, String incomparable) {
        return new ClaimJudge(steps)
                .judge(new PaperClaim(
                        "claim", "Figure", "1", figure, system("aspas2"), system("ap"), 1, band, true, incomparable));
    }

    @Test
    void ratiosAreTakenWithinARepetition() {
        measured("aspas2", 1, 100);
        measured("ap", 1, 100);
        measured("ap", 2, 200);
        measured("aspas2", 2, 220);
        ClaimOutcome outcome = judged("update_p50_ms", new TargetBand(0, 1.06), "");
        RepetitionSpread found = outcome.found().orElseThrow();
        assertThat(found.median()).isEqualTo(1.05, Offset.offset(1e-9));
        assertThat(found.low()).isEqualTo(1.0, Offset.offset(1e-9));
        assertThat(found.high()).isEqualTo(1.1, Offset.offset(1e-9));
        assertThat(outcome.kind()).isEqualTo(Kind.REPEATS);
        assertThat(outcome.why()).contains("not every repetition");
        assertThat(outcome.fails()).isFalse();
    }

    @Test
    void aMedianOutsideTheBandDiffers() {
        measured("aspas2", 1, 300);
        measured("ap", 1, 100);
        ClaimOutcome outcome = judged("update_p50_ms", new TargetBand(1, 2), "");
        assertThat(outcome.kind()).isEqualTo(Kind.DIFFERS);
        assertThat(outcome.why()).startsWith("above the band");
        assertThat(outcome.fails()).isTrue();
    }

    @Test
    void tailsOfLateDelaysAreNotCompared() {
        tails("aspas2", 1.1);
        tails("ap", 0.9);
        assertThat(judged("update_p99_ms", new TargetBand(0, 2), "").kind()).isEqualTo(Kind.NOT_COMPARABLE);
        assertThat(judged("update_p50_ms", new TargetBand(0, 2), "").kind()).isEqualTo(Kind.REPEATS);
        steps.clear();
        tails("aspas2", 0.9);
        tails("ap", 0.9);
        assertThat(judged("update_p99_ms", new TargetBand(0, 2), "").kind()).isEqualTo(Kind.REPEATS);
    }

    private void tails(String system, double lateMillis) {
        measured(
                system,
                1,
                new TreeMap<>(Map.of("update_p50_ms", 100.0, "update_p99_ms", 120.0, "delay_late_p99_ms", lateMillis)));
    }

    @Test
    void whatIsInvalidIsComparedWithNothing() {
        measured("aspas2", 1, 100);
        measured("ap", 1, 100, "the generator was saturated");
        ClaimOutcome outcome = judged("update_p50_ms", new TargetBand(0, 2), "");
        assertThat(outcome.kind()).isEqualTo(Kind.NOT_COMPARABLE);
        assertThat(outcome.why()).contains("the generator was saturated");
        assertThat(outcome.found()).isEmpty();
    }

    @Test
    void whatWasNotMeasuredIsComparedWithNothing() {
        measured("aspas2", 1, 100);
        assertThat(judged("update_p50_ms", new TargetBand(0, 2), "").why()).contains("not measured");
        measured("ap", 1, 100);
        assertThat(judged("read_p50_ms", new TargetBand(0, 2), "").why()).contains("read_p50_ms");
        assertThat(judged("update_p50_ms", new TargetBand(0, 2), "one machine").why())
                .isEqualTo("one machine");
    }

    @Test
    void bandsAreShownAsPeopleReadThem() {
        assertThat(ClaimJudge.shown(new TargetBand(0.9, 1.1))).isEqualTo("0.9 – 1.1");
        assertThat(ClaimJudge.shown(new TargetBand(0, 1.05))).isEqualTo("≤ 1.05");
        assertThat(ClaimJudge.shown(new TargetBand(5000, 1e12))).isEqualTo("≥ 5,000");
    }
}

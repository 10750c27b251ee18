package org.aspas.certify.lag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.aspas.certify.identity.Role;
import org.junit.jupiter.api.Test;

class StepDurationsTest {
    private static final long MILLI = 1_000_000;

    @Test
    void percentilesAreDurationsThatWereMeasured() {
        assertThat(DurationFigures.of(new long[0])).isEqualTo(DurationFigures.NONE);
        assertThat(DurationFigures.of(new long[] {7 * MILLI})).isEqualTo(new DurationFigures(1, 7000, 7000, 7000));
        long[] hundred =
                LongStream.rangeClosed(1, 100).map(one -> (101 - one) * MILLI).toArray();
        assertThat(DurationFigures.of(hundred)).isEqualTo(new DurationFigures(100, 50_500, 50_000, 99_000));
        assertThat(DurationFigures.of(new long[] {3 * MILLI, MILLI, 2 * MILLI, 100 * MILLI}))
                .isEqualTo(new DurationFigures(4, 26_500, 2_000, 100_000));
    }

    @Test
    void onlyTheNewestAreKeptAndOnlyThoseOfTheTimeThatIsAskedForAreGiven() {
        StepDurations durations = new StepDurations();
        int added = 3 * StepDurations.KEPT;
        for (int i = 0; i < added; i++) {
            durations.add(LagStep.ASKED, Long.MAX_VALUE - 10 + i, i); // A clock that overflows meanwhile.
        }
        assertThat(durations.since(LagStep.ASKED, Long.MAX_VALUE - 10)).hasSize(StepDurations.KEPT);
        assertThat(durations.since(LagStep.ASKED, Long.MAX_VALUE - 10 + added - 3))
                .containsExactly(added - 3, added - 2, added - 1);
        assertThat(durations.since(LagStep.SIGNED, 0)).isEmpty();
    }

    @Test
    void gaugesTellOfTheLastMinuteAndCanBeReadAgain() {
        StepDurations durations = new StepDurations();
        long now = 1000 * StepDurations.GAUGE_NANOS;
        durations.add(LagStep.BROADCAST, now - StepDurations.GAUGE_NANOS - 1, 900 * MILLI);
        durations.add(LagStep.BROADCAST, now - StepDurations.GAUGE_NANOS, 20 * MILLI);
        durations.add(LagStep.BROADCAST, now, 40 * MILLI);
        Map<String, Long> gauges = new TreeMap<>();
        durations.measure(gauges, now);
        assertThat(gauges)
                .containsOnly(
                        Map.entry("lag_broadcast_count", 2L),
                        Map.entry("lag_broadcast_mean_micros", 30_000L),
                        Map.entry("lag_broadcast_p50_micros", 20_000L),
                        Map.entry("lag_broadcast_p99_micros", 40_000L));
        assertThat(StepDurations.read(name -> gauges.getOrDefault(name, 0L)))
                .containsOnly(Map.entry(LagStep.BROADCAST, new DurationFigures(2, 30_000, 20_000, 40_000)));
    }

    @Test
    void theDurationsOfSeveralNodesAreCountedTogether() {
        StepDurations one = new StepDurations();
        StepDurations other = new StepDurations();
        one.add(LagStep.WHOLE, 10, MILLI);
        one.add(LagStep.WHOLE, 11, 2 * MILLI);
        other.add(LagStep.WHOLE, 12, 9 * MILLI);
        assertThat(StepDurations.together(List.of(one, other), 11))
                .containsOnly(Map.entry(LagStep.WHOLE, new DurationFigures(2, 5_500, 2_000, 9_000)));
        assertThat(DurationFigures.together(
                        List.of(new DurationFigures(3, 10, 8, 40), new DurationFigures(1, 30, 20, 30))))
                .isEqualTo(new DurationFigures(4, 15, 11, 40));
        assertThat(DurationFigures.together(List.of())).isEqualTo(DurationFigures.NONE);
    }

    @Test
    void aCopyStaysAsItIs() {
        StepDurations durations = new StepDurations();
        durations.add(LagStep.WHOLE, 10, MILLI);
        StepDurations copy = durations.copy();
        durations.add(LagStep.WHOLE, 11, 2 * MILLI);
        assertThat(copy.since(LagStep.WHOLE, 0)).containsExactly(MILLI);
        assertThat(durations.since(LagStep.WHOLE, 0)).containsExactly(MILLI, 2 * MILLI);
    }

    @Test
    void theStepsOfAnAppserverEndWithTheWhole() {
        assertThat(LagStep.of(Role.APPSERVER)).startsWith(LagStep.BROADCAST).endsWith(LagStep.WHOLE);
        assertThat(LagStep.of(Role.BFTSERVER)).startsWith(LagStep.QUESTION).doesNotContain(LagStep.WHOLE);
    }
}

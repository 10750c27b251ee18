package org.aspas.appserver.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.appserver.net.CoreActor.LongSteps;
import org.junit.jupiter.api.Test;

/** The longest step of late, and how many were too long. */
class LongStepsTest {
    private static final long START = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10);

    private final LongSteps times = new LongSteps();

    private static long at(long seconds) {
        return START + TimeUnit.SECONDS.toNanos(seconds);
    }

    private void step(long second, long millis) {
        times.took(at(second), at(second) + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private long gauge(String name, long second) {
        SortedMap<String, Long> gauges = new TreeMap<>();
        times.measure(gauges, at(second));
        return gauges.get(name);
    }

    @Test
    void theLongestIsToldUntilItIsOld() {
        step(0, 7);
        step(1, 3);
        assertThat(gauge("core_step_longest_micros", 2)).isEqualTo(7_000);
        step(31, 2);
        assertThat(gauge("core_step_longest_micros", 32))
                .as("of the period before")
                .isEqualTo(7_000);
        step(62, 4);
        assertThat(gauge("core_step_longest_micros", 63)).isEqualTo(4_000);
        assertThat(gauge("core_step_longest_micros", 200))
                .as("nothing happened since")
                .isZero();
    }

    @Test
    void stepsAboveTwentyMillisecondsAreCounted() {
        step(0, 20);
        assertThat(gauge("core_steps_over_20_ms", 1)).isZero();
        step(1, 21);
        step(100, 500);
        assertThat(gauge("core_steps_over_20_ms", 300)).isEqualTo(2);
    }
}

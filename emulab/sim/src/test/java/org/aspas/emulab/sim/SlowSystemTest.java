package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongFunction;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/** Honest overload is no reason to switch: it would only make the servers enter updates a second time. */
class SlowSystemTest {
    @Test
    void clientsThatMayLeaveAreServedAsWellAsThoseThatStay() {
        assertNoWorse(Scenarios.named("slow-but-correct"), 1.05, "8 clients");
    }

    /**
     * Where clients may leave, each has few updates on their way, so that the server serves clients in turn. A client with more
     * updates than others then waits longer for its last ones, and the others less: the slowest answers are later, their mean is not.
     */
    @Test
    void soAreManyClientsThatHearOfTheirServersNowAndThen() {
        assertNoWorse(Scenarios.named("slow-but-correct-many-clients"), 1.10, "40 clients");
    }

    /** Three systems of a kind: the slowest answers of one differ by a few percent from those of the next. */
    private static void assertNoWorse(LongFunction<Settings> systems, double mostOfSlowest, String what) {
        double waryMicros = 0;
        double stayingMicros = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Settings settings = systems.apply(seed);
            String which = what + ", seed " + seed;
            RunResult wary = Simulation.run(settings);
            RunResult staying = Simulation.run(settings.withWary(false));
            assertThat(staying.violations()).as(which).isEmpty();
            assertThat(wary.violations()).as(which).isEmpty();
            assertThat(staying.figures().latency(0.5))
                    .as("it is slow: median in microseconds, %s", which)
                    .isGreaterThan(5_000_000);
            long repeated = wary.accounting().entries() - staying.accounting().entries();
            assertThat((double) repeated / wary.accounting().updates())
                    .as("entries more than there are with clients that stay, for each update, %s", which)
                    .isBetween(0.0, 0.05);
            System.out.printf(
                    "%s: mean %.0f us, of those that stay %.0f; p99 %d us, of those that stay %d%n",
                    which,
                    mean(wary),
                    mean(staying),
                    wary.figures().latency(0.99),
                    staying.figures().latency(0.99));
            assertThat(mean(wary)).as("mean in microseconds, %s", which).isLessThanOrEqualTo(1.02 * mean(staying));
            waryMicros += wary.figures().latency(0.99);
            stayingMicros += staying.figures().latency(0.99);
        }
        assertThat(waryMicros).as(what).isLessThanOrEqualTo(mostOfSlowest * stayingMicros);
    }

    private static double mean(RunResult result) {
        return result.figures().measured().latencies().stream()
                .mapToLong(Long::longValue)
                .average()
                .orElseThrow();
    }
}

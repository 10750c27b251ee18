package org.aspas.emulab.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.aspas.emulab.sim.script.CampaignReport;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Scenarios;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G6 with f = 1, 2 and 3: when the ordering cluster stands still for a minute and the network falls apart in any shape, no
 * correct appserver is accused or excluded for it, and no correct client refused. Each appserver has a client of its own,
 * who may leave it, inspects, and complains.
 */
class StressTest {
    private static final int ALL_SEEDS = Integer.getInteger("aspas.simulation.stress", 30);

    private static void nobodyIsBlamed(String scenario, long seed, int f) {
        Settings settings = Scenarios.named(scenario)
                .apply(seed)
                .withFaultBounds(f, 1)
                .withClients(3 * f + 1, 400_000L * (3 * f + 1));
        RunResult result = Simulation.run(settings);
        String which = scenario + ", seed " + seed + ", " + CampaignReport.command(settings);
        assertThat(result.violations()).as(which).isEmpty();
        assertThat(result.detections()).as(which).isEmpty();
        assertThat(result.certificates()).as(which).isGreaterThan(5);
        assertThat(result.figures().confirmations()).as(which).isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "cluster-stopped-for-a-minute, 2",
        "cluster-stopped-for-a-minute, 3",
        "partitions-of-any-shape, 2",
        "partitions-of-any-shape, 3",
        "stopped-and-partitioned, 1",
        "stopped-and-partitioned, 2",
        "stopped-and-partitioned, 3"
    })
    void nobodyCorrectIsBlamedForStopsAndPartitions(String scenario, int f) {
        nobodyIsBlamed(scenario, 20 + f, f);
    }

    static IntStream seeds() {
        return IntStream.rangeClosed(1, ALL_SEEDS);
    }

    /** The bulk, with {@code -Psimulation}; {@code -Daspas.simulation.stress=N} changes how many seeds. */
    @Tag("simulation")
    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyCorrectIsBlamedWhateverTheSeed(int seed) {
        for (String scenario :
                new String[] {"cluster-stopped-for-a-minute", "partitions-of-any-shape", "stopped-and-partitioned"}) {
            nobodyIsBlamed(scenario, 1_000 + seed, 1 + seed % 3);
        }
    }
}

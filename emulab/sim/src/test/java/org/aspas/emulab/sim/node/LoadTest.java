package org.aspas.emulab.sim.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.aspas.emulab.sim.node.Figures.Measured;
import org.aspas.emulab.sim.script.Fault;
import org.aspas.emulab.sim.script.LoadFigures;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;
import org.junit.jupiter.api.Test;

/** Runs in which work takes time: they saturate where their costs say, and are repeated exactly. */
class LoadTest {
    private static final int ROUND_TRIP_MICROS = 2_000;
    private static final double STEP_MICROS = 5_000;

    /** Nothing costs anything but one kind of step. */
    private static Costs only(String step, double micros) {
        Linear free = Linear.FREE;
        return new Costs(
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                free,
                Map.of(step, new Linear(micros * 1_000, 0)));
    }

    /** All that is not a step costs a little. */
    private static Costs everything() {
        Linear some = new Linear(20_000, 2);
        return new Costs(
                some,
                some,
                some,
                some,
                some,
                some,
                some,
                some,
                some,
                some,
                some,
                Map.of("appserver other", some, "bftserver other", some, "client other", some));
    }

    private static RunResult run(Costs costs, LoadedSystem system, int clients, int clientsPerMachine) {
        ProcessorModel model = new ProcessorModel(costs, 1, clientsPerMachine, false, system, 500_000, StepMeter.NONE);
        return Simulation.run(Settings.of(11)
                .withFaults(Set.of(), 1)
                .withRoundTrip(ROUND_TRIP_MICROS)
                .withClients(clients, 0)
                .withWorkload(Workload.Mix.COUNTERS)
                .withMicros(1_500_000)
                .withProcessors(model));
    }

    private static LoadFigures.SideUsage side(LoadFigures load, Processors.Side side) {
        return load.sides().stream()
                .filter(one -> one.side() == side)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anAppserverWhoseStepsTakeFiveMillisecondsAnswersTwoHundredUpdatesASecond() {
        RunResult result = run(only("appserver REQUEST", STEP_MICROS), LoadedSystem.ASPAS0, 40, 50);
        LoadFigures load = result.load();
        assertThat(result.violations()).isEmpty();
        assertThat(load.throughput()).as("four appservers").isCloseTo(800, within(20.0));
        assertThat((double) Measured.at(load.measured().latencies(), 0.5))
                .as("ten clients at each, one after the other")
                .isCloseTo(10 * STEP_MICROS, within(2 * STEP_MICROS));
        assertThat(load.little()).isCloseTo(1, within(0.02));
        assertThat(side(load, Processors.Side.APPSERVERS).busy()).isCloseTo(1, within(0.02));
        assertThat(side(load, Processors.Side.CLIENTS).busy()).isZero();
    }

    @Test
    void aSingleClientWaitsForItsRoundTripAndItsStep() {
        LoadFigures load = run(only("appserver REQUEST", STEP_MICROS), LoadedSystem.ASPAS0, 1, 50)
                .load();
        assertThat((double) Measured.at(load.measured().latencies(), 0.5))
                .isCloseTo(ROUND_TRIP_MICROS + STEP_MICROS, within(10.0));
        assertThat(side(load, Processors.Side.APPSERVERS).busiest())
                .as("the client's server")
                .isCloseTo(STEP_MICROS / (ROUND_TRIP_MICROS + STEP_MICROS), within(0.02));
    }

    @Test
    void clientsThatShareAMachineWaitForEachOther() {
        LoadFigures together = run(only("client update", STEP_MICROS), LoadedSystem.ASPAS0, 20, 20)
                .load();
        LoadFigures apart = run(only("client update", STEP_MICROS), LoadedSystem.ASPAS0, 20, 10)
                .load();
        assertThat(together.throughput()).isCloseTo(200, within(8.0));
        assertThat(apart.throughput()).isCloseTo(400, within(16.0));
        assertThat(side(together, Processors.Side.CLIENTS).meanWaiting())
                .as("all but the one that works, and those that wait for the server")
                .isGreaterThan(15);
    }

    @Test
    void whatCertificationCostsIsFreeInApAlone() {
        Linear free = Linear.FREE;
        Linear verify = new Linear(STEP_MICROS * 1_000, 0);
        Costs verifying = new Costs(free, verify, free, free, free, free, free, free, free, free, free, Map.of());
        LoadFigures aspas = run(verifying, LoadedSystem.ASPAS0, 1, 50).load();
        LoadFigures ap = run(verifying, LoadedSystem.AP, 1, 50).load();
        assertThat((double) Measured.at(aspas.measured().latencies(), 0.5))
                .as("the appserver verifies the request, the client the answer")
                .isCloseTo(ROUND_TRIP_MICROS + 2 * STEP_MICROS, within(10.0));
        assertThat((double) Measured.at(ap.measured().latencies(), 0.5)).isCloseTo(ROUND_TRIP_MICROS, within(10.0));
        assertThat(side(ap, Processors.Side.BFTSERVERS).busy()).isZero();
        assertThat(side(aspas, Processors.Side.BFTSERVERS).busy()).isPositive();
        assertThat(ap.confirmations()).as("its confirmations come, at no cost").isPositive();
    }

    @Test
    void clientsOfTheStrictestSystemWaitForCertificates() {
        LoadFigures strict = run(everything(), LoadedSystem.ASPAS4, 8, 50).load();
        LoadFigures free = run(everything(), LoadedSystem.ASPAS0, 8, 50).load();
        assertThat(strict.throughput()).isLessThan(free.throughput() / 4);
    }

    @Test
    void theSameSeedAndCostsGiveTheSameRun() {
        CostFile file = new CostFile(CostFile.VERSION, "a test's", "never", Map.of(), Map.of(), everything());
        Costs read = CostFile.read("file", file.text().getBytes(StandardCharsets.UTF_8))
                .costs();
        assertThat(read).isEqualTo(everything());
        String once = run(everything(), LoadedSystem.ASPAS0, 8, 50).traceHash();
        assertThat(run(read, LoadedSystem.ASPAS0, 8, 50).traceHash()).isEqualTo(once);
        assertThat(run(only("client update", 1), LoadedSystem.ASPAS0, 8, 50).traceHash())
                .isNotEqualTo(once);
    }

    @Test
    void aFileThatIsNoneIsRefusedWithItsLine() {
        String text = new CostFile(CostFile.VERSION, "m", "d", Map.of(), Map.of(), everything()).text();
        assertThatThrownBy(() -> read(text.replace("\"sign\"", "\"song\"")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s)costs.json:\\d+: this is no file of costs: .*sign.*");
        assertThatThrownBy(() -> read(text.replace("20000.0", "-1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a cost is -1.0 ns");
        assertThatThrownBy(() -> read(text.replace("\"schema_version\" : 1", "\"schema_version\" : 2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema_version 2: this build reads 1");
    }

    private static CostFile read(String text) {
        return CostFile.read("costs.json", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void costsAreForRunsWithoutFaults() {
        ProcessorModel model = new ProcessorModel(Costs.FREE, 1, 1, false, LoadedSystem.ASPAS0, 0, StepMeter.NONE);
        Settings faulty = Settings.of(1).withFaults(EnumSet.allOf(Fault.Kind.class), 1_000);
        assertThatThrownBy(() -> faulty.withProcessors(model))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("without faults");
    }
}

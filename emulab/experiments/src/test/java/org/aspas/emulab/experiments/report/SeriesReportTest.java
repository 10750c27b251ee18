package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.ToleranceMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ramps and comparisons of runs that are made up. */
class SeriesReportTest {
    private static final MachineFigures SATURATED = MachineFigures.of(2, 10, 0, 1, 0, 16, 1);

    @TempDir
    private Path folder;

    private static RunReport run(String system, int clients, int operations, int millis, MachineFigures machine) {
        Measures measures = new Measures(System.nanoTime(), 1);
        for (int operation = 0; operation < operations; operation++) {
            measures.succeeded(
                    ToleranceClass.TAU_UNBOUNDED, OperationKind.UPDATE, TimeUnit.MILLISECONDS.toNanos(millis));
        }
        RunSettings settings = RunReportTest.SETTINGS.withClients(clients, 4).against(system, ToleranceMix.ASPAS0);
        return RunReport.of(settings, measures, 1, machine, 0, 1, 0, new Convergence(4, 4, 9, 1, 0, List.of()));
    }

    private static RunReport step(int clients, int operations) {
        return run("aspas2", clients, operations, 10, RunReportTest.MACHINE);
    }

    @Test
    void aRampEndsWhenMoreClientsDoNoMore() {
        assertThat(RampReport.saturation(List.of(step(1, 100)))).isEmpty();
        assertThat(RampReport.saturation(List.of(step(1, 100), step(10, 800)))).isEmpty();
        assertThat(RampReport.saturation(List.of(step(10, 800), step(40, 810))))
                .hasValueSatisfying(why -> assertThat(why).contains("40 clients do 1.01 times what 10 do"));
    }

    @Test
    void aRampEndsWhenTheGeneratorIsSaturatedAndThatStepIsNoPoint() throws Exception {
        RunReport invalid = run("aspas2", 40, 900, 10, SATURATED);
        assertThat(RampReport.saturation(List.of(step(10, 100), invalid)))
                .hasValueSatisfying(why -> assertThat(why).contains("the generator is saturated at 40 clients"));
        RampReport ramp = new RampReport(List.of(step(10, 100), invalid), "over");
        assertThat(ramp.exitCode()).isEqualTo(RunReport.INVALID);
        assertThat(ramp.lines().get(2)).endsWith("INVALID");
        ramp.write(folder.resolve("ramp.json"));
        JsonNode json = new ObjectMapper().readTree(folder.resolve("ramp.json").toFile());
        assertThat(json.path("valid").asBoolean()).isFalse();
        assertThat(json.at("/steps/0/valid").asBoolean()).isTrue();
        assertThat(json.at("/steps/1/machine/clients/share").asDouble()).isEqualTo(0.8);
        assertThat(json.at("/steps/1/settings/clients").asInt()).isEqualTo(40);
    }

    @Test
    void ratiosAreOfPairsWithTheirMedianAndSpread() throws Exception {
        List<RunReport> ones = List.of(
                run("ap", 40, 1000, 10, RunReportTest.MACHINE),
                run("ap", 40, 2000, 10, RunReportTest.MACHINE),
                run("ap", 40, 1000, 10, RunReportTest.MACHINE));
        List<RunReport> others = List.of(
                run("aspas0", 40, 900, 20, RunReportTest.MACHINE),
                run("aspas0", 40, 1000, 20, RunReportTest.MACHINE),
                run("aspas0", 40, 800, 20, RunReportTest.MACHINE));
        SystemRatios ratios = new SystemRatios(ones, others);
        assertThat(ratios.exitCode()).isZero();
        assertThat(ratios.lines()).noneMatch(line -> line.contains("read"));
        assertThat(ratios.lines().get(0)).contains("ap", "aspas0");
        assertThat(ratios.lines().get(1)).contains("1,000.00", "900.00", "0.800", "0.500 to 0.900");
        SystemRatios.write(List.of(ratios), folder.resolve("ratios.json"));
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("ratios.json").toFile());
        assertThat(json.path("ratio").asText()).isEqualTo("aspas0 : ap");
        assertThat(json.at("/ratios/update_p50_ms/median").asDouble()).isBetween(1.99, 2.01);
        assertThatThrownBy(() -> new SystemRatios(ones, List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theFloorOfASystemThatSignsStandsBesideOneThatDoesNot() {
        CostFigures signs = CostFigures.of(
                10,
                10,
                new TreeMap<>(Map.of("clients", new SignatureCounts.Reading(Map.of(Domain.REQUEST, 10L), Map.of()))),
                new CostFigures.SignaturePrice(8, 33),
                120L,
                50L,
                new TreeMap<>());
        CostFigures signsNot = CostFigures.of(10, 10, new TreeMap<>(), null, 60L, 50L, new TreeMap<>());
        SystemRatios ratios = new SystemRatios(
                List.of(step(10, 100).costing(signsNot)), List.of(step(10, 100).costing(signs)));
        assertThat(ratios.lines())
                .anyMatch(line -> line.matches(" +cryptography, µs per update +none +8\\.00 *"))
                .anyMatch(line -> line.matches(" +packets per update +6\\.00 +12\\.00 +2\\.000 .*"));
    }

    @Test
    void aComparisonWithAnInvalidRunIsNotToBeQuoted() {
        SystemRatios ratios = new SystemRatios(List.of(step(10, 100)), List.of(run("ap", 10, 100, 10, SATURATED)));
        assertThat(ratios.exitCode()).isEqualTo(RunReport.INVALID);
        assertThat(ratios.lines()).anyMatch(line -> line.contains("NOT TO BE QUOTED"));
    }
}

package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.aspas.emulab.workload.ToleranceMix;
import org.aspas.emulab.workload.Write;
import org.junit.jupiter.api.Test;

class RunReportTest {
    static final MachineFigures MACHINE = MachineFigures.of(2, 2.0, 0.1, 0.2, 0.01, 0.6, 0);

    static final RunSettings SETTINGS = new RunSettings(
            "demo",
            "aspas2",
            ToleranceMix.ASPAS2,
            40,
            LoadModel.ONE_EACH,
            2,
            8,
            70,
            false,
            0,
            1,
            1,
            1,
            List.of("A counters"),
            1000,
            "17",
            2);

    private static RunReport report(Convergence convergence) {
        Measures measures = new Measures(System.nanoTime(), TimeUnit.SECONDS.toNanos(2));
        for (ToleranceClass tolerance : ToleranceMix.ASPAS2.classes()) {
            measures.succeeded(tolerance, OperationKind.UPDATE, TimeUnit.MILLISECONDS.toNanos(10));
            measures.succeeded(tolerance, OperationKind.READ, TimeUnit.MILLISECONDS.toNanos(20));
        }
        measures.confirmed(new Write.Confirmed(3, TimeUnit.MILLISECONDS.toNanos(300)));
        return RunReport.of(SETTINGS, measures, 2.0, MACHINE, 0, 8, 0, convergence);
    }

    @Test
    void theJsonHasWhatProgramsLookFor() throws Exception {
        JsonNode json = new ObjectMapper()
                .readTree(report(new Convergence(4, 4, 9, 5, 0, List.of())).json());
        assertThat(json.fieldNames().next()).isEqualTo("schema_version");
        assertThat(json.path("operations").asLong()).isEqualTo(6);
        assertThat(json.path("operations_per_second").asDouble()).isEqualTo(3.0);
        assertThat(json.path("errors").isIntegralNumber()).isTrue();
        assertThat(json.path("verification_failures").isIntegralNumber()).isTrue();
        assertThat(json.path("certificates").asLong()).isEqualTo(8);
        assertThat(json.path("converged").asBoolean()).isTrue();
        assertThat(json.at("/latency_ms/p99").asDouble()).isBetween(19.9, 20.1);
        for (String name : List.of("tau_1", "tau_1000", "tau_unbounded")) {
            assertThat(json.at("/classes/" + name + "/latency_ms/p50").asDouble())
                    .isBetween(9.9, 10.1);
            assertThat(json.at("/classes/" + name + "/latency_ms/read/p95").asDouble())
                    .isBetween(19.9, 20.1);
        }
        assertThat(json.at("/certification_lag_ms/p50").asDouble()).isBetween(299.0, 301.0);
        assertThat(json.at("/settings/rtt_ms").asInt()).isEqualTo(70);
        assertThat(json.at("/settings/warmup_seconds").asInt()).isEqualTo(8);
        assertThat(json.at("/settings/system").asText()).isEqualTo("aspas2");
        assertThat(json.at("/settings/mix/percents/1000").asInt()).isEqualTo(30);
        assertThat(json.path("valid").asBoolean()).isTrue();
        assertThat(json.at("/generator/little").asDouble()).isEqualTo(1.0);
        assertThat(json.at("/settings/load/open_each").asInt()).isEqualTo(1);
        assertThat(json.path("cpu_ms_per_operation").asDouble()).isEqualTo(100.0);
    }

    private static Summary median(long count, double millis) {
        return new Summary(count, millis, millis, millis, millis, millis);
    }

    private static RunReport stepped() {
        Map<LagStep, DurationFigures> measured = Map.of(
                LagStep.BROADCAST, new DurationFigures(8, 10_000, 9_000, 30_000),
                LagStep.WHOLE, new DurationFigures(8, 40_000, 38_000, 90_000),
                LagStep.ORDERED, new DurationFigures(5, 2_000, 1_500, 4_000));
        List<SiteLag> sites = List.of(
                new SiteLag("0 east", median(7, 129), 100, median(2, 300), 200),
                new SiteLag("1 west", median(7, 131), 100, median(0, 0), 220));
        return report(new Convergence(4, 4, 9, 5, 0, List.of()))
                .stepped(new LagSteps(measured, Map.of(LagStep.WHOLE, 20_000L), sites));
    }

    @Test
    void theTableShowsWhereTheLagIsAndWhatItIsAtLeast() {
        List<String> lines = ClosingTable.lines(stepped());
        assertThat(lines)
                .contains(
                        "  lag by step, ms                count       p50       p99   share     least",
                        "    answered to broadcast            8       9.0      30.0    25 %",
                        "    answer to confirmation           8      38.0      90.0   100 %      20.0",
                        "    one command's order              5       1.5       4.0")
                .anyMatch(line -> line.matches(" +0 east +100.0 +130.0 +129.0 +yes +200.0 +260.0 +300.0 +NO"))
                .anyMatch(line -> line.matches(" +1 west +100.0 +130.0 +131.0 +NO +220.0 +286.0 +none"))
                .allMatch(line -> line.length() <= 80);
        assertThat(ClosingTable.lines(report(new Convergence(4, 4, 9, 5, 0, List.of()))))
                .noneMatch(line -> line.contains("lag by step") || line.contains("against bound"));
    }

    @Test
    void theJsonHasTheStepsAndTheBounds() throws Exception {
        JsonNode json = new ObjectMapper().readTree(stepped().json());
        assertThat(json.at("/lag_steps_ms/broadcast/p50").asDouble()).isEqualTo(9.0);
        assertThat(json.at("/lag_steps_ms/broadcast").has("least")).isFalse();
        assertThat(json.at("/lag_steps_ms/whole/least").asDouble()).isEqualTo(20.0);
        assertThat(json.at("/lag_sites_ms/0/site").asText()).isEqualTo("0 east");
        assertThat(json.at("/lag_sites_ms/0/answer_to_confirmation/bound").asDouble())
                .isEqualTo(100.0);
        assertThat(json.at("/lag_sites_ms/0/answer_to_confirmation/within").asBoolean())
                .isTrue();
        assertThat(json.at("/lag_sites_ms/0/sending_to_confirmation/within").asBoolean(true))
                .isFalse();
        assertThat(json.at("/lag_sites_ms/1/sending_to_confirmation").has("within"))
                .isFalse();
        JsonNode without = new ObjectMapper()
                .readTree(report(new Convergence(4, 4, 9, 5, 0, List.of())).json());
        assertThat(without.has("lag_steps_ms") || without.has("lag_sites_ms")).isFalse();
    }

    @Test
    void aRunIsCleanOnlyWhenEveryAppserverWasAskedAndAgreed() {
        assertThat(report(new Convergence(4, 4, 9, 5, 0, List.of())).clean()).isTrue();
        assertThat(report(new Convergence(4, 3, 9, 5, 0, List.of())).clean()).isFalse();
        assertThat(report(new Convergence(4, 4, 9, 5, 0, List.of("a difference")))
                        .clean())
                .isFalse();
    }

    @Test
    void theTableNamesEveryClassAndTheVerdict() {
        List<String> lines = ClosingTable.lines(report(new Convergence(4, 4, 9, 5, 0, List.of("a difference"))));
        String table = String.join("\n", lines);
        assertThat(table)
                .contains("τ=1 (1)", "τ=1000 (12)", "τ=unbounded (27)", "certification lag", "NO", "a difference");
        assertThat(lines).allMatch(line -> line.length() <= 80);
    }
}

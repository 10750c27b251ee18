package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.emulab.experiments.report.CostFigures.SignaturePrice;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Measures;
import org.junit.jupiter.api.Test;

class CostFiguresTest {
    private static final Map<String, SignatureCounts.Reading> COUNTED = Map.of(
            "clients", new SignatureCounts.Reading(Map.of(Domain.REQUEST, 10L), Map.of(Domain.RESPONSE, 10L)),
            "appservers",
                    new SignatureCounts.Reading(
                            Map.of(Domain.RESPONSE, 10L, Domain.HEAD, 5L), Map.of(Domain.REQUEST, 40L)));

    private static CostFigures of(long updates) {
        return CostFigures.of(
                updates,
                20,
                new TreeMap<>(COUNTED),
                new SignaturePrice(8, 33),
                120L,
                50L,
                new TreeMap<>(Map.of("clients", 200_000L)));
    }

    @Test
    void countsAreDividedByUpdatesAndTimesByOperations() {
        CostFigures figures = of(10);
        assertThat(figures.signedPerUpdate())
                .containsExactly(entry("all", 2.5), entry("appservers", 1.5), entry("clients", 1.0));
        assertThat(figures.verifiedPerUpdate())
                .containsExactly(entry("all", 5.0), entry("appservers", 4.0), entry("clients", 1.0));
        assertThat(figures.verifiedByUse()).containsExactly(entry("request", 4.0), entry("response", 1.0));
        assertThat(figures.cryptoFloorMicrosPerUpdate()).isEqualTo(2.5 * 8 + 5 * 33);
        assertThat(figures.packetsPerUpdate()).isEqualTo(12);
        assertThat(figures.slicesPerUpdate()).isEqualTo(5);
        assertThat(figures.cpuMicrosPerOperation()).containsExactly(entry("clients", 10.0));
    }

    @Test
    void whatIsNotKnownIsInNeitherTableNorJson() throws Exception {
        CostFigures none = CostFigures.of(10, 10, new TreeMap<>(), null, null, null, new TreeMap<>());
        assertThat(none.lines()).isEmpty();
        assertThat(json(none).path("costs").fieldNames()).toIterable().containsExactly("updates", "operations");
        assertThat(of(0).signedPerUpdate()).isEmpty();
        assertThat(of(0).cryptoFloorMicrosPerUpdate()).isNull();
        assertThat(of(0).cpuMicrosPerOperation()).isNotEmpty();
    }

    @Test
    void tableAndJsonHaveEachFigure() throws Exception {
        List<String> lines = of(10).lines();
        assertThat(String.join("\n", lines))
                .contains("all                       2.50      5.00", "request 4.00", "185 µs per update", "12.0");
        assertThat(lines).allMatch(line -> line.length() <= 80);
        JsonNode costs = json(of(10)).path("costs");
        assertThat(costs.at("/signed_per_update/appservers").asDouble()).isEqualTo(1.5);
        assertThat(costs.at("/verified_per_update/all").asDouble()).isEqualTo(5);
        assertThat(costs.at("/crypto_floor_micros_per_update").asDouble()).isEqualTo(185);
        assertThat(costs.at("/cpu_micros_per_operation/clients").asDouble()).isEqualTo(10);
    }

    private static JsonNode json(CostFigures costs) throws Exception {
        RunReport report = RunReport.of(
                        RunReportTest.SETTINGS,
                        new Measures(System.nanoTime(), TimeUnit.SECONDS.toNanos(2)),
                        2.0,
                        RunReportTest.MACHINE,
                        0,
                        8,
                        0,
                        new Convergence(4, 4, 9, 5, 0, List.of()))
                .costing(costs);
        return new ObjectMapper().readTree(report.json());
    }
}

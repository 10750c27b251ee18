package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.aspas.emulab.experiments.report.ComparisonReport.Leg;
import org.aspas.emulab.experiments.report.ComparisonReport.Subject;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonReportTest {
    @TempDir
    private Path folder;

    private static Leg leg(boolean on, int millis, double cpu, double apart) {
        Measures measures = new Measures(System.nanoTime(), 1);
        measures.succeeded(ToleranceClass.TAU_UNBOUNDED, OperationKind.UPDATE, TimeUnit.MILLISECONDS.toNanos(millis));
        return Leg.of(on, measures, 2, cpu, apart, 0, on ? 5 : 0);
    }

    private static ComparisonReport report(double apart) {
        RunSettings settings = RunReportTest.SETTINGS.loaded(new LoadModel.Share(0.25, Arrivals.UNIFORM).of(400));
        return new ComparisonReport(
                new Subject("floods", "5/s", "flood_frames"),
                settings,
                List.of(leg(false, 10, 0.002, apart), leg(true, 12, 0.003, apart)),
                new TreeMap<>(),
                new Convergence(4, 4, 9, 5, 0, List.of()));
    }

    @Test
    void whatAttackersTakeIsARowOfItsOwn() throws Exception {
        ComparisonReport report = report(1);
        assertThat(report.lines())
                .anyMatch(line -> line.matches(" +processors counted apart +0\\.50 +0\\.50 +1\\.000"))
                .anyMatch(line -> line.matches(" +processor ms per operation +2\\.00 +3\\.00 +1\\.500"));
        assertThat(report.lines()).noneMatch(line -> line.contains("read p50"));
        report.write(folder.resolve("floods.json"));
        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("floods.json").toFile());
        assertThat(json.at("/on/apart_cores").asDouble()).isEqualTo(0.5);
        assertThat(json.at("/load/per_second").asDouble()).isEqualTo(100);
    }

    @Test
    void whereNothingIsCountedApartThereIsNoSuchRow() {
        assertThat(report(0).lines()).noneMatch(line -> line.contains("apart"));
    }
}

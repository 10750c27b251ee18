package org.aspas.emulab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.SignatureCounts;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.experiments.report.ComparisonReport.Leg;
import org.aspas.emulab.experiments.report.CostFigures.SignaturePrice;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.attack.ByzantineReport.Moment;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.workload.Arrivals;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.LoadModel;
import org.aspas.emulab.workload.ToleranceClass;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reports with everything that one can have, and with as little as possible: their JSON and their lines are the recorded ones, byte by
 * byte. With -Daspas.reports=rewrite they are written anew, to be looked at.
 */
class RecordedReportsTest {
    private static final Path RECORDED = Path.of("src/test/resources/org/aspas/emulab/experiments/report");
    private static final Convergence AGREED = new Convergence(4, 4, 9, 5, 0, List.of());

    @TempDir
    private Path folder;

    private static Summary summary(long count, double unit) {
        return new Summary(count, unit, 0.9876543 * unit, 2 * unit, 3.0049999 * unit, 1234.5678 * unit);
    }

    private static Latency latency(@Nullable Summary modified) {
        return new Latency(summary(12_345, 1.25), summary(6_000, 1.5), summary(6_345, 0.75), modified);
    }

    private static RunReport bare(String system, long operations) {
        return new RunReport(
                RunReportTest.SETTINGS.against(system, RunReportTest.SETTINGS.mix()),
                2.0004,
                RunReportTest.MACHINE,
                operations,
                0,
                0,
                List.of(),
                0,
                0,
                new GeneratorFigures("closed loop", 1, null, 0, 0, null, 0, List.of()),
                latency(null),
                Map.of(),
                summary(0, 0),
                List.of(summary(0, 0), summary(0, 0), summary(0, 0)),
                LagSteps.NONE,
                0,
                AGREED,
                null,
                null,
                null,
                Collections.emptySortedMap());
    }

    private static RunReport full(@Nullable Moment verdict, int switched) {
        SortedMap<ToleranceClass, RunReport.ClassReport> classes = new TreeMap<>();
        classes.put(ToleranceClass.TAU_1, new RunReport.ClassReport(3, latency(summary(5, 9))));
        classes.put(ToleranceClass.TAU_UNBOUNDED, new RunReport.ClassReport(1_234, latency(null)));
        SortedMap<String, Double> own = new TreeMap<>(Map.of("rounds_of_order", 12_000.0, "bytes_per_update", 1.23456));
        return new RunReport(
                        RunReportTest.SETTINGS.loaded(new LoadModel.Open(1_000.5, Arrivals.POISSON)),
                        10.126,
                        MachineFigures.of(2, 10, 0.456, 0.912, 0.0346, 15.5, 15),
                        123_456,
                        7,
                        2,
                        List.of("no answer", "a \"quoted\" one"),
                        3,
                        8,
                        new GeneratorFigures(
                                "open loop", 1.2345, summary(99, 0.1), 12_345, 17, "too much", 1.005, List.of("slow")),
                        latency(summary(5, 9)),
                        classes,
                        summary(1_000, 33.3),
                        List.of(summary(300, 1), summary(400, 2), summary(300, 4)),
                        steps(),
                        1_234,
                        new Convergence(4, 3, 9, 5, 2, List.of("one", "two")),
                        attack(verdict, switched),
                        null,
                        null,
                        own)
                .delayed(delays(0.9, 1.7, 2))
                .costing(costs());
    }

    private static LagSteps steps() {
        return new LagSteps(
                Map.of(
                        LagStep.BROADCAST, new DurationFigures(8, 10_001, 9_049, 30_051),
                        LagStep.WHOLE, new DurationFigures(1_234, 40_000, 38_000, 90_000),
                        LagStep.DECIDED, new DurationFigures(2, 1_000, 38_000, 90_000),
                        LagStep.ORDERED, new DurationFigures(5, 2_000, 1_500, 4_000)),
                Map.of(LagStep.WHOLE, 20_333L),
                List.of(
                        new SiteLag("0 east", summary(7, 129), 100, summary(2, 300), 200),
                        new SiteLag("1 west", summary(7, 190), 100.05, summary(0, 0), 220)));
    }

    private static ByzantineReport attack(@Nullable Moment verdict, int switched) {
        return new ByzantineReport(
                "forked",
                "keeps two logs, shows one of them to half of the servers and the other to the rest",
                "appserver-3",
                1_234,
                new Moment(12, "appserver-3", "first lie"),
                new Moment(5_678, "client-1", "two heads of one size"),
                verdict == null ? null : "FORK",
                verdict,
                null,
                40,
                switched,
                switched == 0 ? 0 : 4_321,
                Map.of("lied", 2, "gone", 1),
                1_001,
                1_002,
                1_003,
                0,
                switched == 0 ? List.of() : List.of(1, 2),
                switched);
    }

    private static DelayReport delays(double late, double tail, int promptThreads) {
        return new DelayReport(
                "world",
                List.of(
                        new DelayReport.Network("client to appserver", 12_345, 35, 35.123, 0.0149, late, tail, 9.87654),
                        new DelayReport.Network("appserver to bftserver", 5, 1, 1.2, 0.1, 0.2, 0.3, 0.4)),
                0.1234567,
                promptThreads);
    }

    private static CostFigures costs() {
        return CostFigures.of(
                1_000,
                2_000,
                new TreeMap<>(Map.of(
                        "clients",
                        new SignatureCounts.Reading(Map.of(Domain.REQUEST, 1_000L), Map.of(Domain.RESPONSE, 999L)),
                        "appservers",
                        new SignatureCounts.Reading(
                                Map.of(Domain.RESPONSE, 1_000L, Domain.HEAD, 55L), Map.of(Domain.REQUEST, 4_000L)))),
                new SignaturePrice(8.0449, 33.5555),
                12_345L,
                6_789L,
                new TreeMap<>(Map.of("clients", 123_456_789L, "other", 5L)));
    }

    @Test
    void everythingARunCanHave() throws IOException {
        RunReport report = full(new Moment(7_000, "appserver-0", "took it to the bftservers"), 3);
        compare("full.json", report.json());
        compare("full.txt", String.join("\n", ClosingTable.lines(report)));
    }

    @Test
    void asLittleAsARunCanHave() throws IOException {
        compare("bare.json", bare("aspas2", 0).json());
        List<String> lines = new ArrayList<>(ClosingTable.lines(bare("aspas2", 0)));
        lines.addAll(ClosingTable.lines(full(null, 0)));
        lines.addAll(DelayTable.lines(delays(1.1, 1.2, 0), 0));
        compare("bare.txt", String.join("\n", lines));
    }

    @Test
    void rampsAndComparisons() throws IOException {
        List<RunReport> runs = List.of(bare("ap", 12_345), bare("ap", 10_000));
        List<RunReport> others = List.of(
                bare("aspas0", 9_876).costing(costs()), bare("aspas0", 11_111).costing(costs()));
        List<String> lines = new ArrayList<>();
        RampReport ramp = new RampReport(List.of(bare("aspas2", 0), full(null, 0)), "over");
        ramp.write(folder.resolve("ramp.json"));
        lines.addAll(ramp.lines());
        SystemRatios ratios = new SystemRatios(runs, others);
        SystemRatios.write(List.of(ratios), folder.resolve("ratios.json"));
        SystemRatios.write(List.of(ratios, ratios), folder.resolve("several.json"));
        lines.addAll(ratios.lines());
        lines.addAll(SystemRatios.sentence(full(null, 0)));
        for (double apart : List.of(0.0, 1.5)) {
            ComparisonReport comparison = comparison(apart);
            comparison.write(folder.resolve("compared-" + apart + ".json"));
            lines.addAll(comparison.lines());
            comparison.legs().forEach(leg -> lines.add(leg.sentence(comparison.subject())));
        }
        for (String name : List.of("ramp", "ratios", "several", "compared-0.0", "compared-1.5")) {
            lines.add(Files.readString(folder.resolve(name + ".json")));
        }
        compare("series.txt", String.join("\n", lines));
    }

    private static ComparisonReport comparison(double apart) {
        return new ComparisonReport(
                new ComparisonReport.Subject("floods", "5/s", "flood_frames"),
                RunReportTest.SETTINGS.loaded(new LoadModel.Share(0.25, Arrivals.UNIFORM).of(400)),
                List.of(leg(false, 10_000, apart), leg(true, 12_345, apart), leg(true, 13_000, apart)),
                new TreeMap<>(Map.of("frames_refused", 12_345.0, "bytes_each", 1.23456)),
                apart == 0 ? AGREED : new Convergence(4, 4, 9, 5, 0, List.of("a difference")));
    }

    private static Leg leg(boolean on, long micros, double apart) {
        Histogram updates = new Histogram(3);
        updates.recordValueWithCount(micros, 12_345);
        return new Leg(on, 2.5, 1.003, apart, 12_345, on ? 6_789 : 0, 1, updates, new Histogram(3));
    }

    private static void compare(String name, String text) throws IOException {
        Path file = RECORDED.resolve(name);
        if ("rewrite".equals(System.getProperty("aspas.reports"))) {
            Files.createDirectories(RECORDED);
            Files.writeString(file, text);
        }
        assertThat(text).isEqualTo(Files.readString(file));
    }
}

package org.aspas.emulab.sim.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Settings;
import org.jspecify.annotations.Nullable;

/** A campaign as JSON: the components are the keys. Latency and lag are of a single run, in milliseconds of virtual time. */
record CampaignJson(
        int schemaVersion,
        long seed,
        int runs,
        int f,
        int b,
        int clients,
        String traceHash,
        long operations,
        long updates,
        long confirmed,
        long reported,
        long lost,
        long forgottenUnsigned,
        long entries,
        double entriesPerUpdate,
        long probesCompleted,
        RunResult.Stores stores,
        RunResult.Tags tags,
        long certificates,
        long faults,
        long plannedFaults,
        long disturbedFrames,
        double virtualSeconds,
        double realSeconds,
        long events,
        long fuzzedFrames,
        long fuzzedFramesFit,
        List<Violated> violations,
        List<Noticed> detections,
        List<String> roleViolations,
        List<RoleTable.RoleJson> roles,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Times latencyMs,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Times certificationLagMs,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LoadJson load) {
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;
    private static final int MOST_DETECTIONS = 1000;

    /** A guarantee that was violated, and how to see it again. */
    record Violated(String guarantee, long seed, double seconds, String text, String command) {}

    /** A correct party noticed a Byzantine one. */
    record Noticed(
            long seed,
            double seconds,
            String by,
            String culprit,
            String what,
            String kind,
            long operations,
            double millis) {}

    /** A distribution of durations. */
    record Times(double p50, double p95, double p99, double max) {
        private interface Fraction {
            long micros(double fraction);
        }

        private static Times of(Fraction at) {
            return new Times(
                    at.micros(0.5) / MILLIS, at.micros(0.95) / MILLIS, at.micros(0.99) / MILLIS, at.micros(1) / MILLIS);
        }
    }

    static CampaignJson of(CampaignReport report) {
        Settings first = report.results().get(0).settings();
        @Nullable
        Figures single = report.results().size() == 1 ? report.results().get(0).figures() : null;
        return new CampaignJson(
                JsonReport.SCHEMA_VERSION,
                first.seed(),
                report.results().size(),
                first.f(),
                first.b(),
                first.clients(),
                report.traceHash(),
                report.sum(result ->
                        result.figures().submissions() + result.figures().readsDone()),
                report.sum(result -> result.accounting().updates()),
                report.sum(result -> result.accounting().confirmed()),
                report.sum(result -> result.accounting().reported()),
                report.sum(result -> result.accounting().lost()),
                report.sum(result -> result.accounting().forgotten()),
                report.sum(result -> result.accounting().entries()),
                report.entriesPerUpdate(),
                report.sum(result -> result.accounting().probesCompleted()),
                new RunResult.Stores(
                        report.sum(result -> result.stores().forgetful()),
                        report.sum(result -> result.stores().amnesiac()),
                        report.sum(result -> result.stores().snapshots()),
                        report.sum(result -> result.stores().sums()),
                        report.sum(result -> result.stores().basesLost())),
                report.tags(),
                report.sum(RunResult::certificates),
                report.sum(result -> result.faults().size() + result.disturbed()),
                report.sum(result -> result.faults().size()),
                report.sum(RunResult::disturbed),
                report.virtualSeconds(),
                report.realSeconds(),
                report.sum(RunResult::events),
                report.coverage().frames(),
                report.coverage().reached(),
                violations(report),
                detections(report),
                report.roleViolations(),
                new RoleTable(report.results()).json(),
                single == null ? null : Times.of(single::latency),
                single == null ? null : Times.of(single::lag),
                LoadJson.of(report.results()));
    }

    private static List<Violated> violations(CampaignReport report) {
        return report.results().stream()
                .flatMap(result -> result.violations().stream()
                        .map(one -> new Violated(
                                one.guarantee(),
                                result.settings().seed(),
                                one.micros() / MICROS,
                                one.text(),
                                CampaignReport.command(result.settings()))))
                .toList();
    }

    private static List<Noticed> detections(CampaignReport report) {
        return report.results().stream()
                .flatMap(result -> result.detections().stream()
                        .map(one -> new Noticed(
                                result.settings().seed(),
                                one.micros() / MICROS,
                                one.by(),
                                one.culprit(),
                                one.what(),
                                one.kind().name().toLowerCase(Locale.ROOT),
                                one.operations(),
                                one.afterMicros() / MILLIS)))
                .limit(MOST_DETECTIONS)
                .toList();
    }
}

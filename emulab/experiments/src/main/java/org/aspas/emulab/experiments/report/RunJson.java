package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.emulab.sim.script.JsonReport;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.attack.ByzantineReport.Moment;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.workload.Convergence;
import org.jspecify.annotations.Nullable;

/** A run report as JSON, for programs: the components are the keys. Numbers that count are whole, times are milliseconds. */
record RunJson(
        int schemaVersion,
        long operations,
        double operationsPerSecond,
        long errors,
        long failedUpdates,
        long verificationFailures,
        long certificates,
        double certificatesPerSecond,
        boolean converged,
        boolean valid,
        GeneratorFigures generator,
        MachineFigures machine,
        Latency latencyMs,
        Map<String, Clients> classes,
        Lag certificationLagMs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Step> lagStepsMs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Site> lagSitesMs,
        Convergence convergence,
        double cpuSeconds,
        double cpuMsPerOperation,
        double elapsedSeconds,
        RunSettings settings,
        long inspections,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable AttackJson byzantine,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Delays delays,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable CostFigures costs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) SortedMap<String, Double> systemFigures,
        List<String> firstErrors) {
    private static final double MICROS_PER_MILLI = 1000;

    /** One class of clients. */
    record Clients(int clients, long operations, Latency latencyMs) {
        static Clients of(RunReport.ClassReport figures) {
            return new Clients(figures.clients(), figures.latency().all().count(), figures.latency());
        }
    }

    /** From an answer to its verified confirmation: over the whole run, and in its first and last third. */
    record Lag(@JsonUnwrapped Summary all, Summary firstThird, Summary lastThird) {}

    /** One step from answer to confirmation; the least time it takes is known in a world. */
    record Step(
            long count,
            double p50,
            double p99,
            double mean,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double least) {
        static Step of(DurationFigures micros, @Nullable Long least) {
            return new Step(
                    micros.count(),
                    micros.p50() / MICROS_PER_MILLI,
                    micros.p99() / MICROS_PER_MILLI,
                    micros.mean() / MICROS_PER_MILLI,
                    least == null ? null : least / MICROS_PER_MILLI);
        }
    }

    /** What the clients of one appserver waited for, from answer to confirmation and, with τ=1, from sending. */
    record Site(String site, Waited answerToConfirmation, Waited sendingToConfirmation) {
        static Site of(SiteLag figures) {
            return new Site(
                    figures.site(),
                    Waited.of(figures.lag(), figures.boundMs()),
                    Waited.of(figures.whole(), figures.wholeBoundMs()));
        }
    }

    /**
     * What was measured beside the bound that it is allowed a multiple of; {@code within} is null when nothing was
     * measured.
     */
    record Waited(
            Summary measured,
            double bound,
            double allowed,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean within) {
        static Waited of(Summary measured, double bound) {
            double allowed = SiteLag.ALLOWED * bound;
            return new Waited(measured, bound, allowed, measured.count() == 0 ? null : measured.p50() <= allowed);
        }
    }

    /** Asked against measured, by network; not valid if one of them was too late. */
    record Delays(String world, boolean valid, double emulatorCpuSeconds, int promptThreads, List<Network> networks) {
        static Delays of(DelayReport report) {
            return new Delays(
                    report.world(),
                    report.valid(),
                    report.emulatorCpuSeconds(),
                    report.promptThreads(),
                    report.networks().stream().map(Network::of).toList());
        }
    }

    /** One network between two tiers, one way. */
    record Network(String name, long frames, double askedMs, double measuredMs, Late lateMs, boolean valid) {
        static Network of(DelayReport.Network figures) {
            return new Network(
                    figures.name(),
                    figures.frames(),
                    figures.askedMs(),
                    figures.measuredMs(),
                    new Late(figures.lateP50Ms(), figures.lateP95Ms(), figures.lateP99Ms(), figures.lateMaxMs()),
                    figures.valid());
        }
    }

    /** How late frames were, in milliseconds. */
    record Late(double p50, double p95, double p99, double max) {}

    static RunJson of(RunReport report) {
        Map<String, Clients> classes = new LinkedHashMap<>();
        report.classes().forEach((tolerance, figures) -> classes.put(tolerance.key(), Clients.of(figures)));
        List<Summary> parts = report.lagByPart();
        Map<String, Step> steps = new LinkedHashMap<>();
        LagSteps lag = report.lagSteps();
        lag.measured()
                .forEach((step, figures) ->
                        steps.put(step.key(), Step.of(figures, lag.leastMicros().get(step))));
        return new RunJson(
                JsonReport.SCHEMA_VERSION,
                report.operations(),
                report.operationsPerSecond(),
                report.errors(),
                report.failedUpdates(),
                report.verificationFailures(),
                report.certificates(),
                report.certificatesPerSecond(),
                report.convergence().converged(),
                report.valid(),
                report.generator(),
                report.machine(),
                report.latency(),
                classes,
                new Lag(report.lag(), parts.get(0), parts.get(parts.size() - 1)),
                steps,
                lag.sites().stream().map(Site::of).toList(),
                report.convergence(),
                report.cpuSeconds(),
                report.cpuMillisPerOperation(),
                report.elapsedSeconds(),
                report.settings(),
                report.inspections(),
                report.byzantine() == null ? null : AttackJson.of(report.byzantine()),
                report.delays() == null ? null : Delays.of(report.delays()),
                report.costs(),
                report.systemFigures(),
                report.firstErrors());
    }

    /** What became of an attack, as JSON: the components are the keys. Moments that did not come are null. */
    private record AttackJson(
            String role,
            String description,
            String server,
            long misdeeds,
            @Nullable Long firstMisdeedMs,
            @Nullable String firstMisdeed,
            @Nullable Long detectedMs,
            @Nullable String detectedBy,
            @Nullable String detectedWhat,
            @Nullable String proof,
            @Nullable Long verdictMs,
            @Nullable String verdictBy,
            @Nullable String verdictWhat,
            @Nullable Long excludedMs,
            @Nullable String excludedBy,
            @Nullable String excludedWhat,
            int clients,
            int switchedClients,
            @Nullable Long lastSwitchMs,
            Map<String, Integer> switchReasons,
            long revokedUpdates,
            long rolledBackValues,
            long resubmittedUpdates,
            long lostUpdates,
            int correctServersExcluded,
            int correctClientsAccused,
            boolean withstood) {

        static AttackJson of(ByzantineReport report) {
            return new AttackJson(
                    report.role(),
                    report.description(),
                    report.server(),
                    report.misdeeds(),
                    of(report.firstMisdeed(), Moment::millis),
                    of(report.firstMisdeed(), Moment::what),
                    of(report.detected(), Moment::millis),
                    of(report.detected(), Moment::by),
                    of(report.detected(), Moment::what),
                    report.proof(),
                    of(report.verdict(), Moment::millis),
                    of(report.verdict(), Moment::by),
                    of(report.verdict(), Moment::what),
                    of(report.excluded(), Moment::millis),
                    of(report.excluded(), Moment::by),
                    of(report.excluded(), Moment::what),
                    report.clients(),
                    report.switched(),
                    report.switched() == 0 ? null : report.lastSwitch(),
                    report.sortedReasons(),
                    report.revoked(),
                    report.rolledBack(),
                    report.resubmitted(),
                    report.lost(),
                    report.harmed().size(),
                    report.refusedClients(),
                    report.withstood());
        }

        private static <T> @Nullable T of(@Nullable Moment moment, Function<Moment, T> part) {
            return moment == null ? null : part.apply(moment);
        }
    }
}

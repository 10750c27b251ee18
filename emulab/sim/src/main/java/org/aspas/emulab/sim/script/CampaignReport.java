package org.aspas.emulab.sim.script;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.script.Fault.Kind;
import org.aspas.emulab.sim.world.WorldMap;
import org.jspecify.annotations.Nullable;

/**
 * The sum of one or more runs.
 *
 * @param results the runs, in order
 */
public record CampaignReport(List<RunResult> results, double realSeconds) {
    private static final double MICROS = 1e6;

    public CampaignReport {
        results = List.copyOf(results);
    }

    /** The trace hash of a single run; of several, a hash of their hashes. */
    public String traceHash() {
        if (results.size() == 1) {
            return results.get(0).traceHash();
        }
        byte[][] hashes = results.stream()
                .map(result -> result.traceHash().getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
        return Hash.sha256(hashes).toString();
    }

    /** What roles did over all their runs that none may, one sentence each. */
    public List<String> roleViolations() {
        return new RoleTable(results).violations();
    }

    public long violatingRuns() {
        return results.stream().filter(result -> !result.violations().isEmpty()).count();
    }

    public long sum(ToLongFunction<RunResult> what) {
        return results.stream().mapToLong(what).sum();
    }

    /** How long all runs lasted in virtual time. */
    public double virtualSeconds() {
        return sum(RunResult::micros) / MICROS;
    }

    /** One line for people about one run. */
    public static String line(RunResult result) {
        return String.format(
                Locale.ROOT,
                "%s: %d updates, %d confirmed, %d reported, %d lost, %d certificates, %d faults, %.1f s virtual, at"
                        + " rest after %.1f s, trace %s%s",
                name(result.settings()),
                result.accounting().updates(),
                result.accounting().confirmed(),
                result.accounting().reported(),
                result.accounting().lost(),
                result.certificates(),
                result.faults().size(),
                result.micros() / MICROS,
                result.settledMicros() / MICROS,
                result.traceHash().substring(0, 16),
                result.violations().isEmpty() ? "" : ", VIOLATED " + result.violations());
    }

    private static String name(Settings settings) {
        return String.format(
                Locale.ROOT, "seed %d f=%d b=%d %s", settings.seed(), settings.f(), settings.b(), roles(settings));
    }

    private static String roles(Settings settings) {
        WorldMap world = settings.world();
        if (!settings.roles().isEmpty()) {
            return String.join(",", settings.roles());
        }
        return world == null ? "honest" : "in world " + world.name();
    }

    /** How to see a run again. */
    public static String command(Settings settings) {
        if (settings.exact()) {
            return "aspas simulate --scenario " + settings.schedule() + " --seed " + settings.seed();
        }
        StringBuilder command = new StringBuilder(String.format(
                Locale.ROOT,
                "aspas simulate --seed %d --minutes %s --f %d --b %d --clients %d --pause-ms %d --fault-pause-ms %d",
                settings.seed(),
                settings.micros() / MICROS / 60,
                settings.f(),
                settings.b(),
                settings.clients(),
                settings.pauseMicros() / 1000,
                settings.faultPauseMicros() / 1000));
        if (!settings.roles().isEmpty()) {
            command.append(" --roles ").append(String.join(",", settings.roles()));
        }
        if (settings.faults().isEmpty()) {
            command.append(" --faults none");
        } else if (!settings.faults().equals(Kind.USUAL)) {
            command.append(" --faults ").append(kinds(settings.faults()));
        }
        if (!settings.leftOut().isEmpty()) {
            command.append(" --leave-out ")
                    .append(String.join(
                            ",",
                            settings.leftOut().stream()
                                    .sorted()
                                    .map(String::valueOf)
                                    .toList()));
        }
        if (settings.world() != null) {
            command.append(" --world ").append(settings.world().name());
        }
        if (settings.wary()) {
            command.append(" --wary");
        }
        if (settings.schedule().equals(Settings.ONE_KEY)) {
            command.append(" --one-key");
        }
        if (settings.retained() != Limits.DEFAULT.retainedCertificates()) {
            command.append(" --retained ").append(settings.retained());
        }
        if (settings.workload() != Workload.Mix.FULL) {
            command.append(" --workload ").append(settings.workload().name().toLowerCase(java.util.Locale.ROOT));
        }
        ProcessorModel model = settings.processors();
        if (model != null) {
            command.append(" --costs FILE --cores ")
                    .append(model.cores())
                    .append(" --clients-per-machine ")
                    .append(model.clientsPerMachine())
                    .append(model.oneMachine() ? " --one-machine" : "")
                    .append(" --system ")
                    .append(model.system().name().toLowerCase(java.util.Locale.ROOT));
        }
        settings.tolerance().ifPresent(tau -> command.append(" --tau ").append(tau));
        if (settings.roundTripMicros() > 0) {
            command.append(" --rtt-ms ").append(settings.roundTripMicros() / 1000);
        }
        return command.toString();
    }

    private static String kinds(Set<Kind> faults) {
        Set<Kind> single = EnumSet.copyOf(faults);
        List<String> words = new ArrayList<>();
        if (single.containsAll(Kind.USUAL)) {
            words.add("all");
            single.removeAll(Kind.USUAL);
        }
        if (single.containsAll(Kind.STORES)) {
            words.add("stores");
            single.removeAll(Kind.STORES);
        }
        single.forEach(kind -> words.add(kind.name().toLowerCase(Locale.ROOT)));
        return String.join(",", words);
    }

    public String summary() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d runs, %.2f virtual hours in %.1f s (%.0f times real time), %d updates, %.3f entries for each, %d"
                        + " confirmed, %d reported, %d lost, %d forgotten unsigned, %d probes answered, %d certificates,"
                        + " %d faults and %d disturbed frames, %d events, %d detections, %d runs with violations%n",
                results.size(),
                virtualSeconds() / 3600,
                realSeconds,
                virtualSeconds() / realSeconds,
                sum(result -> result.accounting().updates()),
                entriesPerUpdate(),
                sum(result -> result.accounting().confirmed()),
                sum(result -> result.accounting().reported()),
                sum(result -> result.accounting().lost()),
                sum(result -> result.accounting().forgotten()),
                sum(result -> result.accounting().probesCompleted()),
                sum(RunResult::certificates),
                sum(result -> result.faults().size()),
                sum(RunResult::disturbed),
                sum(RunResult::events),
                sum(result -> result.detections().size()),
                violatingRuns()));
        text.append(String.format(
                Locale.ROOT,
                "stores: %d appservers with a lost or old disk in %d runs, %d of them amnesiac; %d snapshots installed in"
                        + " %d runs, %d sums written, %d starts without the base%n",
                sum(result -> result.stores().forgetful()),
                results.stream()
                        .filter(result -> result.stores().forgetful() > 0)
                        .count(),
                sum(result -> result.stores().amnesiac()),
                sum(result -> result.stores().snapshots()),
                results.stream()
                        .filter(result -> result.stores().snapshots() > 0)
                        .count(),
                sum(result -> result.stores().sums()),
                sum(result -> result.stores().basesLost())));
        RunResult.Tags tags = tags();
        text.append(String.format(
                Locale.ROOT,
                "tags at correct appservers: %d right, %d wrong, %d unknown, %d absent; %.1f %% of requests by a right tag%n",
                tags.right(),
                tags.wrong(),
                tags.unknown(),
                tags.absent(),
                100 * tags.share()));
        if (results.size() > 1) {
            RoleTable roles = new RoleTable(results);
            text.append(roles.text());
            roles.violations().forEach(one -> text.append(String.format(Locale.ROOT, "VIOLATED by a role: %s%n", one)));
        }
        LoadJson load = LoadJson.of(results);
        if (load != null) {
            text.append(load.text());
        }
        FieldCoverage fuzzed = coverage();
        if (fuzzed.frames() > 0) {
            text.append(fuzzed.table());
        }
        detectionCounts()
                .forEach((what, count) ->
                        text.append(String.format(Locale.ROOT, "  noticed %6d times: %s%n", count, what)));
        return text.toString();
    }

    /** How tags convinced, over all runs. */
    public RunResult.Tags tags() {
        return results.stream().map(RunResult::tags).reduce(RunResult.Tags.NONE, RunResult.Tags::with);
    }

    /** How many entries there are for each update, over all runs; 0 without updates. */
    double entriesPerUpdate() {
        long updates = sum(result -> result.accounting().updates());
        return updates == 0 ? 0 : (double) sum(result -> result.accounting().entries()) / updates;
    }

    /** The fields that Byzantine parties changed, over all runs. */
    public FieldCoverage coverage() {
        FieldCoverage sum = new FieldCoverage();
        results.forEach(result -> sum.add(result.coverage()));
        return sum;
    }

    private Map<String, Integer> detectionCounts() {
        Map<String, Integer> counts = new TreeMap<>();
        for (RunResult result : results) {
            for (Detection detection : result.detections()) {
                String what = detection.what().replaceAll("[0-9a-f]{16,}|[0-9]+", "#");
                counts.merge(what.length() > 100 ? what.substring(0, 100) : what, 1, Integer::sum);
            }
        }
        return counts;
    }

    /** Writes the report as JSON. */
    public void write(Path file) throws IOException {
        JsonReport.write(CampaignJson.of(this), file);
    }

    /** A campaign as JSON: the components are the keys. Latency and lag are of a single run, in milliseconds of virtual time. */
    private record CampaignJson(
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

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Times latencyMs,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Times certificationLagMs,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            LoadJson load) {
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
                        at.micros(0.5) / MILLIS,
                        at.micros(0.95) / MILLIS,
                        at.micros(0.99) / MILLIS,
                        at.micros(1) / MILLIS);
            }
        }

        static CampaignJson of(CampaignReport report) {
            Settings first = report.results().get(0).settings();
            @Nullable
            Figures single =
                    report.results().size() == 1 ? report.results().get(0).figures() : null;
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
}

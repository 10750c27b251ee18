package org.aspas.emulab.sim.script;

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
import java.util.function.BiFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.invariant.Violation;
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
    private static final double MILLIS = 1e3;
    private static final int MOST_DETECTIONS = 1000;

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
        return runs(result -> !result.violations().isEmpty());
    }

    private long runs(Predicate<RunResult> which) {
        return results.stream().filter(which).count();
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
        FigureTree figures = figures();
        List<String> lines = new ArrayList<>();
        lines.add(figures.line(
                "{runs} runs, {virtual_seconds/3600|%.2f} virtual hours in {real_seconds|%.1f} s ({|%.0f} times real time),"
                        + " {updates} updates, {entries_per_update|%.3f} entries for each, {confirmed} confirmed,"
                        + " {reported} reported, {lost} lost, {forgotten_unsigned} forgotten unsigned,"
                        + " {probes_completed} probes answered, {certificates} certificates, {planned_faults} faults and"
                        + " {disturbed_frames} disturbed frames, {events} events, {} detections, {} runs with violations",
                virtualSeconds() / realSeconds,
                sum(result -> result.detections().size()),
                violatingRuns()));
        lines.add(figures.line(
                "stores: {stores.forgetful} appservers with a lost or old disk in {} runs, {stores.amnesiac} of them"
                        + " amnesiac; {stores.snapshots} snapshots installed in {} runs, {stores.sums} sums written,"
                        + " {stores.bases_lost} starts without the base",
                runs(result -> result.stores().forgetful() > 0),
                runs(result -> result.stores().snapshots() > 0)));
        lines.add(figures.line(
                "tags at correct appservers: {tags.right} right, {tags.wrong} wrong, {tags.unknown} unknown, {tags.absent}"
                        + " absent; {|%.1f} % of requests by a right tag",
                100 * tags().share()));
        if (results.size() > 1) {
            RoleTable roles = new RoleTable(results);
            lines.addAll(roles.lines());
            roles.violations().forEach(one -> lines.add("VIOLATED by a role: " + one));
        }
        LoadFigures load = load();
        if (load != null) {
            lines.addAll(load.lines());
        }
        String fields = coverage().frames() > 0 ? coverage().table() : "";
        StringBuilder noticed = new StringBuilder();
        detectionCounts()
                .forEach((what, count) ->
                        noticed.append(String.format(Locale.ROOT, "  noticed %6d times: %s%n", count, what)));
        String end = System.lineSeparator();
        return String.join(end, lines) + end + fields + noticed;
    }

    /** What the load of a single run met; null where work takes no time, and for several runs. */
    private @Nullable LoadFigures load() {
        return results.size() == 1 ? results.get(0).load() : null;
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
        JsonReport.write(figures(), file);
    }

    /** The figures of the campaign. Latency and lag are of a single run, in milliseconds of virtual time. */
    private FigureTree figures() {
        Settings first = results.get(0).settings();
        Figures single = results.size() == 1 ? results.get(0).figures() : null;
        LoadFigures load = load();
        return new FigureTree()
                .with("schema_version", JsonReport.SCHEMA_VERSION)
                .with("seed", first.seed())
                .with("runs", results.size())
                .with("f", first.f())
                .with("b", first.b())
                .with("clients", first.clients())
                .with("trace_hash", traceHash())
                .with(
                        "operations",
                        sum(result -> result.figures().submissions()
                                + result.figures().readsDone()))
                .with("updates", sum(result -> result.accounting().updates()))
                .with("confirmed", sum(result -> result.accounting().confirmed()))
                .with("reported", sum(result -> result.accounting().reported()))
                .with("lost", sum(result -> result.accounting().lost()))
                .with("forgotten_unsigned", sum(result -> result.accounting().forgotten()))
                .with("entries", sum(result -> result.accounting().entries()))
                .with("entries_per_update", entriesPerUpdate())
                .with("probes_completed", sum(result -> result.accounting().probesCompleted()))
                .with(
                        "stores",
                        new RunResult.Stores(
                                sum(result -> result.stores().forgetful()),
                                sum(result -> result.stores().amnesiac()),
                                sum(result -> result.stores().snapshots()),
                                sum(result -> result.stores().sums()),
                                sum(result -> result.stores().basesLost())))
                .with("tags", tags())
                .with("certificates", sum(RunResult::certificates))
                .with("faults", sum(result -> result.faults().size() + result.disturbed()))
                .with("planned_faults", sum(result -> result.faults().size()))
                .with("disturbed_frames", sum(RunResult::disturbed))
                .with("virtual_seconds", virtualSeconds())
                .with("real_seconds", realSeconds)
                .with("events", sum(RunResult::events))
                .with("fuzzed_frames", coverage().frames())
                .with("fuzzed_frames_fit", coverage().reached())
                .with(
                        "violations",
                        each(RunResult::violations, CampaignReport::violated).toList())
                .with(
                        "detections",
                        each(RunResult::detections, CampaignReport::noticed)
                                .limit(MOST_DETECTIONS)
                                .toList())
                .with("role_violations", roleViolations())
                .with("roles", new RoleTable(results).figures())
                .withKnown("latency_ms", single == null ? null : times(single::latency))
                .withKnown("certification_lag_ms", single == null ? null : times(single::lag))
                .withKnown("load", load == null ? null : load.figures());
    }

    private <T> Stream<FigureTree> each(
            Function<RunResult, List<T>> what, BiFunction<RunResult, T, FigureTree> figures) {
        return results.stream().flatMap(result -> what.apply(result).stream().map(one -> figures.apply(result, one)));
    }

    /** A guarantee that was violated, and how to see it again. */
    private static FigureTree violated(RunResult result, Violation one) {
        return new FigureTree()
                .with("guarantee", one.guarantee())
                .with("seed", result.settings().seed())
                .with("seconds", one.micros() / MICROS)
                .with("text", one.text())
                .with("command", command(result.settings()));
    }

    /** A correct party noticed a Byzantine one. */
    private static FigureTree noticed(RunResult result, Detection one) {
        return new FigureTree()
                .with("seed", result.settings().seed())
                .with("seconds", one.micros() / MICROS)
                .with("by", one.by())
                .with("culprit", one.culprit())
                .with("what", one.what())
                .with("kind", one.kind().name().toLowerCase(Locale.ROOT))
                .with("operations", one.operations())
                .with("millis", one.afterMicros() / MILLIS);
    }

    private static FigureTree times(DoubleToLongFunction micros) {
        return new FigureTree()
                .with("p50", micros.applyAsLong(0.5) / MILLIS)
                .with("p95", micros.applyAsLong(0.95) / MILLIS)
                .with("p99", micros.applyAsLong(0.99) / MILLIS)
                .with("max", micros.applyAsLong(1) / MILLIS);
    }
}

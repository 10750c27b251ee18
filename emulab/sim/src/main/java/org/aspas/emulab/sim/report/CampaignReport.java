package org.aspas.emulab.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.emulab.sim.fuzz.FieldCoverage;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.node.Workload;
import org.aspas.emulab.sim.run.Detection;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Settings;

/**
 * The sum of one or more runs.
 *
 * @param results the runs, in order
 * @param realSeconds how long they took
 */
public record CampaignReport(List<RunResult> results, double realSeconds) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double MICROS = 1e6;
    private static final double MILLIS = 1e3;
    private static final int MOST_DETECTIONS = 1000;

    /** Copies the list. */
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

    /** How many runs violated a guarantee. */
    public long violatingRuns() {
        return results.stream().filter(result -> !result.violations().isEmpty()).count();
    }

    /** The sum of something over all runs. */
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
                "seed %d f=%d b=%d %s",
                settings.seed(),
                settings.f(),
                settings.b(),
                settings.roles().isEmpty() ? "honest" : String.join(",", settings.roles()));
    }

    /** How to see a run again. */
    public static String command(Settings settings) {
        if (!settings.schedule().isEmpty()) {
            return "aspas simulate --scenario " + settings.schedule() + " --seed " + settings.seed();
        }
        StringBuilder command = new StringBuilder(String.format(
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
        } else if (settings.faults().size() < org.aspas.emulab.sim.fault.Fault.Kind.values().length) {
            command.append(" --faults ")
                    .append(String.join(
                            ",",
                            settings.faults().stream()
                                    .sorted()
                                    .map(kind -> kind.name().toLowerCase(java.util.Locale.ROOT))
                                    .toList()));
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
        if (settings.wary()) {
            command.append(" --wary");
        }
        if (settings.retained() != Limits.DEFAULT.retainedCertificates()) {
            command.append(" --retained ").append(settings.retained());
        }
        if (settings.workload() == Workload.Mix.CLASSIC) {
            command.append(" --workload classic");
        }
        settings.tolerance().ifPresent(tau -> command.append(" --tau ").append(tau));
        if (settings.roundTripMicros() > 0) {
            command.append(" --rtt-ms ").append(settings.roundTripMicros() / 1000);
        }
        return command.toString();
    }

    /** The summary for people. */
    public String summary() {
        StringBuilder text = new StringBuilder(String.format(
                "%d runs, %.2f virtual hours in %.1f s (%.0f times real time), %d updates, %d confirmed, %d reported,"
                        + " %d lost, %d forgotten unsigned, %d probes answered, %d certificates, %d faults and %d"
                        + " disturbed frames, %d events, %d detections, %d runs with violations%n",
                results.size(),
                virtualSeconds() / 3600,
                realSeconds,
                virtualSeconds() / realSeconds,
                sum(result -> result.accounting().updates()),
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
        if (results.size() > 1) {
            RoleTable roles = new RoleTable(results);
            text.append(roles.text());
            roles.violations().forEach(one -> text.append(String.format("VIOLATED by a role: %s%n", one)));
        }
        FieldCoverage fuzzed = coverage();
        if (fuzzed.frames() > 0) {
            text.append(fuzzed.table());
        }
        detectionCounts()
                .forEach((what, count) -> text.append(String.format("  noticed %6d times: %s%n", count, what)));
        return text.toString();
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

    /**
     * Writes the report as JSON.
     *
     * @throws IOException when the file cannot be written
     */
    public void write(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, tree().toPrettyString() + "\n");
    }

    private ObjectNode tree() {
        ObjectNode root = JSON.createObjectNode();
        Settings first = results.get(0).settings();
        root.put("seed", first.seed());
        root.put("runs", results.size());
        root.put("f", first.f());
        root.put("b", first.b());
        root.put("clients", first.clients());
        root.put("trace_hash", traceHash());
        root.put(
                "operations",
                sum(result -> result.figures().submissions() + result.figures().readsDone()));
        root.put("updates", sum(result -> result.accounting().updates()));
        root.put("confirmed", sum(result -> result.accounting().confirmed()));
        root.put("reported", sum(result -> result.accounting().reported()));
        root.put("lost", sum(result -> result.accounting().lost()));
        root.put("forgotten_unsigned", sum(result -> result.accounting().forgotten()));
        root.put("probes_completed", sum(result -> result.accounting().probesCompleted()));
        root.put("certificates", sum(RunResult::certificates));
        root.put("faults", sum(result -> result.faults().size() + result.disturbed()));
        root.put("planned_faults", sum(result -> result.faults().size()));
        root.put("disturbed_frames", sum(RunResult::disturbed));
        root.put("virtual_seconds", virtualSeconds());
        root.put("real_seconds", realSeconds);
        root.put("events", sum(RunResult::events));
        root.put("fuzzed_frames", coverage().frames());
        root.put("fuzzed_frames_fit", coverage().reached());
        root.set("violations", violations());
        root.set("detections", detections());
        roleViolations().forEach(root.putArray("role_violations")::add);
        root.set("roles", new RoleTable(results).tree(JSON));
        if (results.size() == 1) {
            root.set("latency_ms", times(results.get(0), true));
            root.set("certification_lag_ms", times(results.get(0), false));
        }
        return root;
    }

    private ArrayNode violations() {
        ArrayNode array = JSON.createArrayNode();
        for (RunResult result : results) {
            for (Violation violation : result.violations()) {
                ObjectNode node = array.addObject();
                node.put("guarantee", violation.guarantee());
                node.put("seed", result.settings().seed());
                node.put("seconds", violation.micros() / MICROS);
                node.put("text", violation.text());
                node.put("command", command(result.settings()));
            }
        }
        return array;
    }

    private ArrayNode detections() {
        ArrayNode array = JSON.createArrayNode();
        for (RunResult result : results) {
            for (Detection detection : result.detections()) {
                if (array.size() < MOST_DETECTIONS) {
                    ObjectNode node = array.addObject();
                    node.put("seed", result.settings().seed());
                    node.put("seconds", detection.micros() / MICROS);
                    node.put("by", detection.by());
                    node.put("culprit", detection.culprit());
                    node.put("what", detection.what());
                    node.put("kind", detection.kind().name().toLowerCase(java.util.Locale.ROOT));
                    node.put("operations", detection.operations());
                    node.put("millis", detection.afterMicros() / MILLIS);
                }
            }
        }
        return array;
    }

    private static ObjectNode times(RunResult result, boolean latency) {
        ObjectNode node = JSON.createObjectNode();
        List<Double> fractions = new ArrayList<>(List.of(0.5, 0.95, 0.99, 1.0));
        for (double fraction : fractions) {
            long micros = latency
                    ? result.figures().latency(fraction)
                    : result.figures().lag(fraction);
            node.put(fraction == 1.0 ? "max" : "p" + Math.round(fraction * 100), micros / MILLIS);
        }
        return node;
    }
}

package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A run report as JSON, for programs. Numbers that count are whole, times are milliseconds. */
public final class RunJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double THOUSAND = 1000.0;

    private RunJson() {}

    /**
     * Writes the report, making the folders it lies in.
     *
     * @throws IOException when the file cannot be written
     */
    public static void write(RunReport report, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, text(report) + "\n");
    }

    /** The report as indented JSON. */
    public static String text(RunReport report) {
        return tree(report).toPrettyString();
    }

    private static ObjectNode tree(RunReport report) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("operations", report.operations());
        root.put("operations_per_second", rounded(report.operationsPerSecond()));
        root.put("errors", report.errors());
        root.put("failed_updates", report.failedUpdates());
        root.put("verification_failures", report.verificationFailures());
        root.put("certificates", report.certificates());
        root.put("certificates_per_second", rounded(report.certificatesPerSecond()));
        root.put("converged", report.convergence().converged());
        ObjectNode latency = summary(report.all());
        latency.set("update", summary(report.updates()));
        latency.set("read", summary(report.reads()));
        root.set("latency_ms", latency);
        root.set("classes", classes(report));
        root.set("certification_lag_ms", lag(report));
        root.set("convergence", convergence(report.convergence()));
        root.put("cpu_seconds", rounded(report.cpuSeconds()));
        root.put("cpu_ms_per_operation", rounded(report.cpuMillisPerOperation()));
        root.put("elapsed_seconds", rounded(report.elapsedSeconds()));
        root.set("settings", settings(report.settings()));
        root.put("inspections", report.inspections());
        if (report.byzantine() != null) {
            root.set("byzantine", AttackTable.json(report.byzantine()));
        }
        root.set("first_errors", strings(report.firstErrors()));
        return root;
    }

    private static ObjectNode classes(RunReport report) {
        ObjectNode classes = MAPPER.createObjectNode();
        report.classes().forEach((tolerance, figures) -> {
            ObjectNode latency = summary(figures.all());
            latency.set("update", summary(figures.updates()));
            latency.set("read", summary(figures.reads()));
            ObjectNode node = classes.putObject(tolerance.key());
            node.put("clients", figures.clients());
            node.put("operations", figures.all().count());
            node.set("latency_ms", latency);
        });
        return classes;
    }

    private static ObjectNode lag(RunReport report) {
        ObjectNode lag = summary(report.lag());
        List<Summary> parts = report.lagByPart();
        lag.set("first_third", summary(parts.get(0)));
        lag.set("last_third", summary(parts.get(parts.size() - 1)));
        return lag;
    }

    private static ObjectNode convergence(Convergence convergence) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("appservers", convergence.appservers());
        node.put("asked", convergence.asked());
        node.put("certificate", convergence.certificate());
        node.put("objects", convergence.objects());
        node.put("lost", convergence.lost());
        node.set("differences", strings(convergence.differences()));
        return node;
    }

    private static ObjectNode settings(RunSettings settings) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("command", settings.command());
        node.put("clients", settings.clients());
        node.put("seconds", settings.seconds());
        node.put("warmup_seconds", settings.warmUpSeconds());
        node.put("rtt_ms", settings.rttMillis());
        node.put("switching", settings.switching());
        node.put("inspect_percent", settings.inspectPercent());
        node.put("f", settings.f());
        node.put("b", settings.b());
        node.put("seed", settings.seed());
        node.set("workloads", strings(settings.phases()));
        node.put("records", settings.records());
        node.put("java", settings.javaVersion());
        node.put("cores", settings.cores());
        return node;
    }

    private static ObjectNode summary(Summary summary) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("count", summary.count());
        node.put("mean", rounded(summary.mean()));
        node.put("p50", rounded(summary.p50()));
        node.put("p95", rounded(summary.p95()));
        node.put("p99", rounded(summary.p99()));
        node.put("max", rounded(summary.max()));
        return node;
    }

    private static ArrayNode strings(List<String> texts) {
        ArrayNode array = MAPPER.createArrayNode();
        texts.forEach(array::add);
        return array;
    }

    private static double rounded(double value) {
        return Math.round(value * THOUSAND) / THOUSAND;
    }
}

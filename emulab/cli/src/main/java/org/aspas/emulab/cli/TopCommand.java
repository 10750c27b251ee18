package org.aspas.emulab.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.aspas.certify.lag.DurationFigures;
import org.aspas.certify.lag.LagStep;
import org.aspas.emulab.experiments.Terminal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code aspas top}: what the servers do, again and again. */
@Command(
        name = "top",
        description = {
            "Show the activity of the servers as a live table, until Ctrl-C.",
            "",
            "UPDATES/S    own entries a second since the last refresh",
            "READS/S      reads answered a second",
            "CERTS/S      certificates adopted a second",
            "BEYOND       entries delivered that no certificate covers yet",
            "LAG          from an answer to its confirmation in the last minute: median and",
            "             99th percentile in milliseconds",
            "SESSIONS     clients that have a session",
            "UNCONFIRMED  most updates of one client that no certificate covers"
        },
        footerHeading = "%nExamples:%n",
        footer = {"  aspas top --dir lab --every 1", "  aspas top --dir lab --count 5 --json"})
final class TopCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> HEADER = List.of(
            "SERVER", "STATE", "UPDATES/S", "READS/S", "CERTS/S", "BEYOND", "LAG p50/p99", "SESSIONS", "UNCONFIRMED");
    private static final double MICROS_PER_MILLI = 1000;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private DeploymentOption deployment = new DeploymentOption();

    @Mixin
    private TrustOption trust = new TrustOption();

    @Option(
            names = "--every",
            defaultValue = "2",
            paramLabel = "SECONDS",
            description = "Seconds between two refreshes, 1 to 3600 (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--count", paramLabel = "N", description = "Number of refreshes, from 1 (default: unlimited).")
    private @Nullable Long count;

    @Mixin
    private JsonOption json = new JsonOption();

    /** What was seen at a moment, and at the one before it. */
    private record Look(Map<String, StatusRow> before, List<StatusRow> now, double seconds) {
        double rate(StatusRow row, Function<StatusRow, Long> figure) {
            StatusRow earlier = before.get(row.server());
            return earlier == null || !earlier.tells() || seconds <= 0
                    ? 0
                    : Math.max(0, figure.apply(row) - figure.apply(earlier)) / seconds;
        }
    }

    @Override
    public Integer call() throws Exception {
        Ranges.check(spec, "--every", seconds, 1, 3_600);
        if (count != null && count < 1) {
            throw new IllegalArgumentException("--count " + count + " is less than 1");
        }
        StatusReader reader = new StatusReader(deployment.directory(), trust);
        Map<String, StatusRow> before = Map.of();
        long lookedAt = System.nanoTime();
        for (long look = 1; ; look++) {
            long now = System.nanoTime();
            List<StatusRow> rows = reader.appservers();
            show(
                    reader.descriptor().name(),
                    new Look(before, rows, (now - lookedAt) / (double) TimeUnit.SECONDS.toNanos(1)));
            if (json.out().checkError() || count != null && look == count) {
                return ExitCodes.DONE;
            }
            before = rows.stream().collect(Collectors.toMap(StatusRow::server, Function.identity()));
            lookedAt = now;
            TimeUnit.SECONDS.sleep(seconds);
        }
    }

    private void show(String name, Look look) throws Exception {
        if (json.wanted()) {
            ObjectNode document = JSON.createObjectNode();
            ArrayNode servers = document.put("name", name).putArray("servers");
            look.now().forEach(row -> servers.add(fields(look, row)));
            json.out().println(JSON.writeValueAsString(document));
            return;
        }
        Terminal.of(json.out()).clear();
        List<List<String>> cells =
                look.now().stream().map(row -> cells(look, row)).toList();
        StatusTable.table(HEADER, cells, 2).forEach(json.out()::println);
        json.out().flush();
    }

    private static List<String> cells(Look look, StatusRow row) {
        if (!row.tells()) {
            return List.of(row.server(), row.stateName(), row.silence());
        }
        ObjectNode fields = fields(look, row);
        return List.of(
                row.server(),
                row.stateName(),
                rate(fields, "updates_per_second"),
                rate(fields, "reads_per_second"),
                rate(fields, "certificates_per_second"),
                fields.path("beyond").asText(),
                Math.round(fields.path("lag_p50_ms").asDouble()) + "/"
                        + Math.round(fields.path("lag_p99_ms").asDouble()),
                fields.path("sessions").asText(),
                fields.path("unconfirmed_most").asText());
    }

    private static String rate(ObjectNode fields, String name) {
        return String.format(Locale.ROOT, "%,.1f", fields.path(name).asDouble());
    }

    private static ObjectNode fields(Look look, StatusRow row) {
        ObjectNode fields = JSON.createObjectNode().put("server", row.server()).put("state", row.stateName());
        if (!row.tells()) {
            return fields;
        }
        DurationFigures whole = row.lagSteps().getOrDefault(LagStep.WHOLE, DurationFigures.NONE);
        return fields.put("updates_per_second", look.rate(row, TopCommand::ownEntries))
                .put("reads_per_second", look.rate(row, TopCommand::reads))
                .put("certificates_per_second", look.rate(row, StatusRow::certificate))
                .put("beyond", row.lagEntries())
                .put("lag_p50_ms", whole.p50() / MICROS_PER_MILLI)
                .put("lag_p99_ms", whole.p99() / MICROS_PER_MILLI)
                .put("sessions", row.gauge("sessions"))
                .put("unconfirmed_most", row.gauge("unconfirmed_most"));
    }

    private static long ownEntries(StatusRow row) {
        return row.status()
                .path("version")
                .path(row.status().path("server").asInt())
                .asLong();
    }

    private static long reads(StatusRow row) {
        JsonNode counters = row.status().path("counters");
        return counters.path("reads_local").asLong()
                + counters.path("reads_certified").asLong();
    }
}

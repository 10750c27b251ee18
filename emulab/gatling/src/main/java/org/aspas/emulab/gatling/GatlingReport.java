package org.aspas.emulab.gatling;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.gatling.GatlingFigures.Row;
import org.jspecify.annotations.Nullable;

/**
 * The report of a run, for people as lines and for programs as JSON.
 *
 * @param schemaVersion grows when a key goes or changes its meaning
 * @param operations how many updates and reads succeeded in the measured part
 * @param errors how many requests failed in the whole run
 * @param updates Gatling's figures of the updates, waits for room under τ included
 * @param verified what the users' clients verified; null over HTTP, where they verify nothing
 */
record GatlingReport(
        int schemaVersion,
        boolean assertionsHeld,
        long operations,
        double operationsPerSecond,
        long errors,
        Row updates,
        Row reads,
        @Nullable Verified verified,
        GatlingFigures gatling,
        Settings settings,
        URI page) {
    private static final double THOUSAND = 1000.0;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build();

    /**
     * What the clients of virtual users verified, in the whole run.
     *
     * @param answers how many answers held
     * @param confirmations how many of the updates a verified certificate covers, with the proof
     */
    record Verified(long sessions, long answers, long updates, long confirmations, long failures) {
        static Verified of(VerificationCounts counts) {
            return new Verified(
                    counts.sessions.sum(),
                    counts.answers.sum(),
                    counts.updates.sum(),
                    counts.confirmations.sum(),
                    counts.failures.sum());
        }
    }

    /** What was asked for, in the words of the options. */
    record Settings(
            String transport,
            @Nullable Integer users,
            @Nullable Double rate,
            long paceMs,
            double warmupSeconds,
            double seconds,
            String tau,
            String mix,
            int payload,
            int posts,
            long seed,
            String java) {
        static Settings of(FeedPlan plan) {
            FeedPlan.Load load = plan.load();
            boolean closed = load.users().isPresent();
            return new Settings(
                    Words.lower(plan.transport()),
                    closed ? load.users().getAsInt() : null,
                    closed ? null : load.rate(),
                    load.pace().toMillis(),
                    load.warmUp().toMillis() / THOUSAND,
                    load.measured().toMillis() / THOUSAND,
                    plan.tolerance().text(),
                    Words.lower(plan.content().mix()),
                    plan.content().payload(),
                    plan.content().posts(),
                    plan.content().seed(),
                    Runtime.version().toString());
        }
    }

    static GatlingReport of(FeedPlan plan, boolean held, GatlingFigures figures, VerificationCounts counts, URI page) {
        Row updates = figures.group(FeedScript.UPDATES);
        Row reads = figures.group(FeedScript.READS);
        long operations = updates.ok() + reads.ok();
        double perSecond = operations * THOUSAND / plan.load().measured().toMillis();
        return new GatlingReport(
                1,
                held,
                operations,
                Math.round(perSecond * THOUSAND) / THOUSAND,
                figures.failed(),
                updates,
                reads,
                plan.transport() == FeedPlan.Transport.HTTP ? null : Verified.of(counts),
                figures,
                Settings.of(plan),
                page);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d operations in %.0f s: %,.0f operations/s",
                operations,
                settings.seconds,
                operationsPerSecond));
        lines.add(String.format(
                Locale.ROOT, "  %-20s %9s %7s %7s %7s %7s %7s", "Gatling, ms", "ok", "ko", "p50", "p95", "p99", "max"));
        gatling.groups().forEach(row -> lines.add(line(row)));
        if (verified != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  verified: %,d answers of %,d sessions; %,d of %,d updates confirmed; %,d checks failed",
                    verified.answers,
                    verified.sessions,
                    verified.confirmations,
                    verified.updates,
                    verified.failures));
        }
        lines.add("  Gatling's page: " + page);
        return lines;
    }

    private static String line(Row row) {
        return String.format(
                Locale.ROOT,
                "  %-20s %,9d %,7d %,7d %,7d %,7d %,7d",
                row.name(),
                row.ok(),
                row.ko(),
                row.p50Ms(),
                row.p95Ms(),
                row.p99Ms(),
                row.maxMs());
    }

    /** Writes it for programs, making the folders that the file lies in. */
    void write(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        Files.writeString(file, JSON.writeValueAsString(this) + "\n");
    }

    /** Constants in the spelling of the options. */
    private static final class Words {
        private Words() {}

        static String lower(Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
    }
}

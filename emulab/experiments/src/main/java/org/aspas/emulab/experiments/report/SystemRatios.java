package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.emulab.sim.script.JsonReport;
import org.jspecify.annotations.Nullable;

/**
 * Two systems side by side: of each figure the ratio in every pair of runs, of which the median counts and the least and the
 * largest are its spread.
 *
 * @param ones the runs of the system that is divided by
 * @param others the runs of the other, each paired with the one of the same place
 */
public record SystemRatios(List<RunReport> ones, List<RunReport> others) {
    private static final String ROW = "  %-28s %14s %14s %8s %17s";

    private record Figure(String name, String key, ToDoubleFunction<RunReport> value) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("operations/s", "operations_per_second", RunReport::operationsPerSecond),
            new Figure("processor ms per operation", "cpu_ms_per_operation", RunReport::cpuMillisPerOperation),
            new Figure(
                    "update p50 ms",
                    "update_p50_ms",
                    run -> run.latency().update().p50()),
            new Figure(
                    "update p99 ms",
                    "update_p99_ms",
                    run -> run.latency().update().p99()),
            new Figure("read p50 ms", "read_p50_ms", run -> run.latency().read().p50()),
            new Figure("read p99 ms", "read_p99_ms", run -> run.latency().read().p99()),
            new Figure("packets per update", "packets_per_update", run -> counted(run, CostFigures::packetsPerUpdate)),
            new Figure("slices per update", "slices_per_update", run -> counted(run, CostFigures::slicesPerUpdate)));

    /** Only systems that sign have this figure, so it gets no ratio. */
    private static final Figure FLOOR = new Figure(
            "cryptography, µs per update",
            "crypto_floor_micros_per_update",
            run -> counted(run, CostFigures::cryptoFloorMicrosPerUpdate));

    /** 0 for what is not known. */
    private static double counted(RunReport run, Function<CostFigures, @Nullable Double> figure) {
        CostFigures costs = run.costs();
        Double value = costs == null ? null : figure.apply(costs);
        return value == null ? 0 : value;
    }

    /** A figure's ratio over all pairs. */
    public record Ratio(double median, double least, double largest) {}

    /** Checks that the runs make pairs, and copies the lists. */
    public SystemRatios {
        if (ones.isEmpty() || ones.size() != others.size()) {
            throw new IllegalArgumentException(ones.size() + " and " + others.size() + " runs make no pairs");
        }
        ones = List.copyOf(ones);
        others = List.copyOf(others);
    }

    /** 0 when all runs are clean and valid, 1 when one is not clean, 4 when one is not valid. */
    static int exitCode(Collection<RunReport> runs) {
        return runs.stream()
                .map(RunReport::exitCode)
                .filter(code -> code != 0)
                .min(Integer::compare)
                .orElse(0);
    }

    /** As {@link #exitCode()}, over several comparisons. */
    public static int exitCodeOf(List<SystemRatios> all) {
        return exitCode(all.stream()
                .flatMap(one -> Stream.concat(one.ones().stream(), one.others().stream()))
                .toList());
    }

    /** 0 when all runs are clean and valid, 1 when one is not clean, 4 when one is not valid. */
    public int exitCode() {
        return exitCode(Stream.concat(ones.stream(), others.stream()).toList());
    }

    /** The two systems, the one that is divided by behind the colon. */
    public String name() {
        return others.get(0).settings().system() + " : "
                + ones.get(0).settings().system();
    }

    /** Those of what both systems did: a workload of updates has no reads. */
    private List<Figure> figures() {
        return FIGURES.stream()
                .filter(figure -> median(ones, figure) > 0 && median(others, figure) > 0)
                .toList();
    }

    private Ratio ratio(Figure figure) {
        return spread(IntStream.range(0, ones.size())
                .mapToDouble(pair -> figure.value().applyAsDouble(others.get(pair))
                        / figure.value().applyAsDouble(ones.get(pair)))
                .toArray());
    }

    private static Ratio spread(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Ratio(median, sorted[0], sorted[sorted.length - 1]);
    }

    private static double median(List<RunReport> runs, Figure figure) {
        return spread(runs.stream().mapToDouble(figure.value()).toArray()).median();
    }

    /** What one run showed, in a line, and why it is not valid. */
    public static List<String> sentence(RunReport run) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "  %-13s %,8.0f operations/s  update p50 %.2f ms p99 %.2f ms  %.2f ms of processor per operation "
                        + " errors %d",
                run.settings().system(),
                run.operationsPerSecond(),
                run.latency().update().p50(),
                run.latency().update().p99(),
                run.cpuMillisPerOperation(),
                run.errors()));
        run.generator().invalid().forEach(reason -> lines.add("    INVALID: " + reason));
        run.machine().invalid().forEach(reason -> lines.add("    INVALID: " + reason));
        return lines;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String one = ones.get(0).settings().system();
        String other = others.get(0).settings().system();
        lines.add(
                String.format(Locale.ROOT, ROW, "medians of " + ones.size(), one, other, "ratio", "least to largest"));
        for (Figure figure : figures()) {
            Ratio ratio = ratio(figure);
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    figure.name(),
                    String.format(Locale.ROOT, "%,.2f", median(ones, figure)),
                    String.format(Locale.ROOT, "%,.2f", median(others, figure)),
                    String.format(Locale.ROOT, "%.3f", ratio.median()),
                    String.format(Locale.ROOT, "%.3f to %.3f", ratio.least(), ratio.largest())));
        }
        double floor = median(ones, FLOOR);
        double otherFloor = median(others, FLOOR);
        if (floor > 0 || otherFloor > 0) {
            lines.add(String.format(Locale.ROOT, ROW, FLOOR.name(), floor(floor), floor(otherFloor), "", ""));
        }
        if (exitCode() != 0) {
            lines.add("  NOT TO BE QUOTED: a run had errors, or is not valid");
        }
        return lines;
    }

    private static String floor(double micros) {
        return micros == 0 ? "none" : String.format(Locale.ROOT, "%,.2f", micros);
    }

    /**
     * Writes ratios and all runs as JSON, making the folders the file lies in: one object, or a list in {@code comparisons} when
     * more than two systems were compared.
     */
    public static void write(List<SystemRatios> all, Path file) throws IOException {
        List<Json> comparisons = all.stream().map(SystemRatios::json).toList();
        JsonReport.write(
                comparisons.size() == 1 ? comparisons.get(0) : new SeveralJson(JsonReport.SCHEMA_VERSION, comparisons),
                file);
    }

    private Json json() {
        Map<String, Ratio> ratios = new LinkedHashMap<>();
        figures().forEach(figure -> ratios.put(figure.key(), ratio(figure)));
        return new Json(
                JsonReport.SCHEMA_VERSION,
                name(),
                "A B, B A in turns",
                Stream.concat(ones.stream(), others.stream()).allMatch(RunReport::valid),
                ratios,
                ones.stream().map(RunJson::of).toList(),
                others.stream().map(RunJson::of).toList());
    }

    /** More than two systems for programs. */
    private record SeveralJson(int schemaVersion, List<Json> comparisons) {}

    /** The comparison for programs: the components are the keys. */
    private record Json(
            int schemaVersion,
            String ratio,
            String order,
            boolean valid,
            Map<String, Ratio> ratios,
            List<RunJson> ones,
            List<RunJson> others) {}
}

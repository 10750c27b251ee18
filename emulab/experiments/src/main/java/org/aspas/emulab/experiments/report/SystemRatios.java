package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.sim.script.JsonReport;

/**
 * Two systems side by side: of each figure the ratio in every pair of runs, of which the median counts and the least and the
 * largest are its spread.
 *
 * @param ones the runs of the system that is divided by
 * @param others the runs of the other, each paired with the one of the same place
 */
public record SystemRatios(List<RunReport> ones, List<RunReport> others) {
    private static final String ROW = "  %-28s %14s %14s %8s %17s";

    /** What is compared: its label, its key in the JSON, and where a run's figures have it. */
    private record Figure(String label, String key, String path) {
        /** 0 for what is not known. */
        double[] of(List<FigureTree> runs) {
            return runs.stream().mapToDouble(run -> run.number(path)).toArray();
        }
    }

    private static final List<Figure> FIGURES = List.of(
            new Figure("operations/s", "operations_per_second", "operations_per_second"),
            new Figure("processor ms per operation", "cpu_ms_per_operation", "cpu_ms_per_operation"),
            new Figure("update p50 ms", "update_p50_ms", "latency_ms.update.p50"),
            new Figure("update p99 ms", "update_p99_ms", "latency_ms.update.p99"),
            new Figure("read p50 ms", "read_p50_ms", "latency_ms.read.p50"),
            new Figure("read p99 ms", "read_p99_ms", "latency_ms.read.p99"),
            new Figure("packets per update", "packets_per_update", "costs.packets_per_update"),
            new Figure("slices per update", "slices_per_update", "costs.slices_per_update"));

    /** Only systems that sign have this figure, so it gets no ratio. */
    private static final Figure FLOOR = new Figure(
            "cryptography, µs per update", "crypto_floor_micros_per_update", "costs.crypto_floor_micros_per_update");

    /** A figure's ratio over all pairs. */
    public record Ratio(double median, double least, double largest) {
        private static Ratio of(double... values) {
            double[] sorted = DoubleStream.of(values).sorted().toArray();
            int middle = sorted.length / 2;
            double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Ratio(median, sorted[0], sorted[sorted.length - 1]);
        }
    }

    /** The medians of a figure for both systems, and their ratio. */
    private record Compared(Figure figure, double one, double other, Ratio ratio) {
        static Compared of(Figure figure, List<FigureTree> ones, List<FigureTree> others) {
            double[] some = figure.of(ones);
            double[] more = figure.of(others);
            return new Compared(
                    figure,
                    Ratio.of(some).median(),
                    Ratio.of(more).median(),
                    Ratio.of(IntStream.range(0, some.length)
                            .mapToDouble(pair -> more[pair] / some[pair])
                            .toArray()));
        }
    }

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
        return exitCode(all.stream().flatMap(SystemRatios::runs).toList());
    }

    /** 0 when all runs are clean and valid, 1 when one is not clean, 4 when one is not valid. */
    public int exitCode() {
        return exitCode(runs().toList());
    }

    private Stream<RunReport> runs() {
        return Stream.concat(ones.stream(), others.stream());
    }

    /** The two systems, the one that is divided by behind the colon. */
    public String name() {
        return others.get(0).settings().system() + " : "
                + ones.get(0).settings().system();
    }

    private static List<FigureTree> figures(List<RunReport> runs) {
        return runs.stream().map(RunReport::figures).toList();
    }

    /** The figures of what both systems did: a workload of updates has no reads. */
    private static List<Compared> compared(List<FigureTree> ones, List<FigureTree> others) {
        return FIGURES.stream()
                .map(figure -> Compared.of(figure, ones, others))
                .filter(compared -> compared.one() > 0 && compared.other() > 0)
                .toList();
    }

    /** What one run showed, in a line, and why it is not valid. */
    public static List<String> sentence(RunReport run) {
        List<String> lines = new ArrayList<>();
        lines.add(run.figures()
                .line("  {settings.system|%-13s} {operations_per_second|%,8.0f} operations/s"
                        + "  update p50 {latency_ms.update.p50|%.2f} ms p99 {latency_ms.update.p99|%.2f} ms"
                        + "  {cpu_ms_per_operation|%.2f} ms of processor per operation  errors {errors}"));
        run.generator().invalid().forEach(reason -> lines.add("    INVALID: " + reason));
        run.machine().invalid().forEach(reason -> lines.add("    INVALID: " + reason));
        return lines;
    }

    public List<String> lines() {
        List<FigureTree> some = figures(ones);
        List<FigureTree> more = figures(others);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                ROW,
                "medians of " + ones.size(),
                ones.get(0).settings().system(),
                others.get(0).settings().system(),
                "ratio",
                "least to largest"));
        compared(some, more)
                .forEach(one -> lines.add(String.format(
                        Locale.ROOT,
                        ROW,
                        one.figure().label(),
                        hundredths(one.one()),
                        hundredths(one.other()),
                        String.format(Locale.ROOT, "%.3f", one.ratio().median()),
                        String.format(
                                Locale.ROOT,
                                "%.3f to %.3f",
                                one.ratio().least(),
                                one.ratio().largest()))));
        Compared floor = Compared.of(FLOOR, some, more);
        if (floor.one() > 0 || floor.other() > 0) {
            lines.add(String.format(
                    Locale.ROOT, ROW, FLOOR.label(), hundredths(floor.one()), hundredths(floor.other()), "", ""));
        }
        if (exitCode() != 0) {
            lines.add("  NOT TO BE QUOTED: a run had errors, or is not valid");
        }
        return lines;
    }

    private static String hundredths(double value) {
        return value == 0 ? "none" : String.format(Locale.ROOT, "%,.2f", value);
    }

    /**
     * Writes ratios and all runs as JSON, making the folders the file lies in: one object, or a list in {@code comparisons} when
     * more than two systems were compared.
     */
    public static void write(List<SystemRatios> all, Path file) throws IOException {
        List<FigureTree> comparisons = all.stream().map(SystemRatios::figures).toList();
        JsonReport.write(
                comparisons.size() == 1
                        ? comparisons.get(0)
                        : new FigureTree()
                                .with("schema_version", JsonReport.SCHEMA_VERSION)
                                .with("comparisons", comparisons),
                file);
    }

    private FigureTree figures() {
        List<FigureTree> some = figures(ones);
        List<FigureTree> more = figures(others);
        FigureTree ratios = new FigureTree();
        compared(some, more).forEach(one -> ratios.with(one.figure().key(), one.ratio()));
        return new FigureTree()
                .with("schema_version", JsonReport.SCHEMA_VERSION)
                .with("ratio", name())
                .with("order", "A B, B A in turns")
                .with("valid", runs().allMatch(RunReport::valid))
                .with("ratios", ratios)
                .with("ones", some)
                .with("others", more);
    }
}

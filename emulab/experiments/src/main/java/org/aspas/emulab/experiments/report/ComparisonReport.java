package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.sim.script.JsonReport;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.OperationKind;
import org.aspas.emulab.workload.ToleranceClass;

/**
 * What something costs the clients: equal runs without and with it.
 *
 * @param settings what was run; {@code seconds} is the length of one leg
 * @param legs in the order in which they ran
 * @param figures more figures of those legs that have it, by name
 */
public record ComparisonReport(
        Subject subject,
        RunSettings settings,
        List<Leg> legs,
        SortedMap<String, Double> figures,
        Convergence convergence) {
    private static final double THOUSAND = 1000.0;
    private static final String ROW = "  %-28s %12s %12s %8s";
    private static final List<Figure> FIGURES = List.of(
            new Figure("operations_per_second", "operations/s"),
            new Figure("cpu_ms_per_operation", "processor ms per operation"),
            new Figure("update_p50_ms", "update p50 ms"),
            new Figure("update_p99_ms", "update p99 ms"),
            new Figure("read_p50_ms", "read p50 ms"),
            new Figure("read_p99_ms", "read p99 ms"),
            new Figure("apart_cores", "processors counted apart"));

    private record Figure(String name, String label) {}

    public ComparisonReport {
        legs = List.copyOf(legs);
        figures = new TreeMap<>(figures);
    }

    /**
     * What is compared with its absence.
     *
     * @param name one word
     * @param level how much of it, with its unit
     * @param counted what is counted in each leg, as a key of the JSON: none without it, and some with it
     */
    public record Subject(String name, String level, String counted) {}

    /**
     * One run, or several of one kind together.
     *
     * @param on whether it ran with what is compared
     * @param cpuSeconds the processor time of the whole process meanwhile, but for what is counted apart
     * @param apartSeconds the processor time of attackers themselves, or of what was burnt in their place
     * @param operations how many operations succeeded
     * @param counted how often what is compared happened
     * @param errors how many operations or confirmations failed, or checks
     * @param updates latency of updates and read-modify-writes in microseconds, without the clients with τ=1
     * @param reads latency of reads in microseconds
     */
    public record Leg(
            boolean on,
            double seconds,
            double cpuSeconds,
            double apartSeconds,
            long operations,
            long counted,
            long errors,
            Histogram updates,
            Histogram reads) {
        public static Leg of(
                boolean on, Measures measures, double seconds, double cpu, double apart, long failures, long counted) {
            Histogram updates = new Histogram(3);
            Histogram reads = new Histogram(3);
            for (ToleranceClass tolerance : measures.classes()) {
                if (!tolerance.equals(ToleranceClass.TAU_1)) {
                    updates.add(measures.latency(tolerance, OperationKind.UPDATE));
                    updates.add(measures.latency(tolerance, OperationKind.READ_MODIFY_WRITE));
                }
                reads.add(measures.latency(tolerance, OperationKind.READ));
            }
            return new Leg(
                    on,
                    seconds,
                    cpu,
                    apart,
                    measures.operations(),
                    counted,
                    measures.errors() + failures,
                    updates,
                    reads);
        }

        Leg and(Leg other) {
            Histogram bothUpdates = updates.copy();
            bothUpdates.add(other.updates);
            Histogram bothReads = reads.copy();
            bothReads.add(other.reads);
            return new Leg(
                    on,
                    seconds + other.seconds,
                    cpuSeconds + other.cpuSeconds,
                    apartSeconds + other.apartSeconds,
                    operations + other.operations,
                    counted + other.counted,
                    errors + other.errors,
                    bothUpdates,
                    bothReads);
        }

        public double operationsPerSecond() {
            return operations / seconds;
        }

        /** How many processors were busy with what is counted apart. */
        public double apartCores() {
            return apartSeconds / seconds;
        }

        double cpuMillisPerOperation() {
            return operations == 0 ? 0 : cpuSeconds * THOUSAND / operations;
        }

        /** Of one leg or several; what is counted apart only where something is. */
        private FigureTree figures(boolean apart) {
            Summary update = Summary.ofMicros(updates);
            Summary read = Summary.ofMicros(reads);
            return new FigureTree()
                    .with("operations_per_second", operationsPerSecond())
                    .with("cpu_ms_per_operation", cpuMillisPerOperation())
                    .with("update_p50_ms", update.p50())
                    .with("update_p99_ms", update.p99())
                    .with("read_p50_ms", read.p50())
                    .with("read_p99_ms", read.p99())
                    .withKnown("apart_cores", apart ? apartCores() : null);
        }

        public String sentence(Subject subject) {
            return figures(false)
                    .line(
                            "{} {|%-3s}  {operations_per_second|%,8.0f} operations/s  update p50 {update_p50_ms|%6.2f} ms"
                                    + " p99 {update_p99_ms|%6.2f} ms  {} {|%,d}  errors {}",
                            subject.name(), on ? "on" : "off", subject.counted(), counted, errors);
        }
    }

    /** All legs with it, or all without, as one. */
    public Leg together(boolean on) {
        return legs.stream()
                .filter(leg -> leg.on() == on)
                .reduce(Leg::and)
                .orElseThrow(() -> new IllegalStateException("there is no leg with it " + on));
    }

    /** Whether there was no error, it happened exactly where it should, and all appservers agree. */
    public boolean clean() {
        boolean right = together(false).counted() == 0 && together(true).counted() > 0;
        return right && together(true).errors() + together(false).errors() == 0 && convergence.converged();
    }

    /** All legs with it, or all without, by name. */
    private FigureTree figures(boolean on) {
        return together(on).figures(together(true).apartSeconds() > 0);
    }

    public List<String> lines() {
        Leg off = together(false);
        Leg on = together(true);
        FigureTree without = figures(false);
        FigureTree with = figures(true);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, ROW, "", "off", subject.level(), "ratio"));
        for (Figure figure : FIGURES) {
            double before = without.number(figure.name());
            double after = with.number(figure.name());
            if (before != 0 || after != 0) { // a workload of updates has no reads
                lines.add(String.format(
                        Locale.ROOT, "  %-28s %,12.2f %,12.2f %8.3f", figure.label(), before, after, after / before));
            }
        }
        lines.add(String.format(Locale.ROOT, ROW, subject.counted(), off.counted(), on.counted(), ""));
        figures.forEach((name, figure) -> lines.add(String.format(
                Locale.ROOT,
                ROW,
                name.replace('_', ' '),
                "",
                String.format(Locale.ROOT, figure == Math.rint(figure) ? "%,.0f" : "%,.3f", figure),
                "")));
        lines.add(String.format(Locale.ROOT, ROW, "errors", off.errors(), on.errors(), ""));
        lines.add("  converged                    "
                + (convergence.converged() ? "yes" : "NO " + convergence.differences()));
        return lines;
    }

    /** Writes the comparison as JSON, making the folders the file lies in. */
    public void write(Path file) throws IOException {
        FigureTree without = figures(false);
        FigureTree with = figures(true);
        FigureTree ratio = new FigureTree();
        FIGURES.stream()
                .map(Figure::name)
                .filter(with::has)
                .forEach(name -> ratio.with(name, with.number(name) / without.number(name)));
        JsonReport.write(
                new FigureTree()
                        .with("schema_version", JsonReport.SCHEMA_VERSION)
                        .with("compared", subject.name())
                        .with("level", subject.level())
                        .with("clients", settings.clients())
                        .with("leg_seconds", settings.seconds())
                        .with("rtt_ms", settings.rttMillis())
                        .with("load", settings.load())
                        .with("order", "off on on off")
                        .with(
                                "off",
                                without.with(subject.counted(), together(false).counted()))
                        .with("on", with.with(subject.counted(), together(true).counted()))
                        .with("ratio", ratio)
                        .with("figures", figures)
                        .with(
                                "errors",
                                together(false).errors() + together(true).errors())
                        .with("converged", convergence.converged()),
                file);
    }
}

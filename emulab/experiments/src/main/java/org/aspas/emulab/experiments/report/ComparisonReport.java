package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.sim.script.JsonReport;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.LoadModel;
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

        public String sentence(Subject subject) {
            return String.format(
                    Locale.ROOT,
                    "%s %-3s  %,8.0f operations/s  update p50 %6.2f ms p99 %6.2f ms  %s %,d  errors" + " %d",
                    subject.name(),
                    on ? "on" : "off",
                    operationsPerSecond(),
                    Summary.ofMicros(updates).p50(),
                    Summary.ofMicros(updates).p99(),
                    subject.counted(),
                    counted,
                    errors);
        }
    }

    private record Figure(String name, String key, ToDoubleFunction<Leg> value) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("operations/s", "operations_per_second", Leg::operationsPerSecond),
            new Figure("processor ms per operation", "cpu_ms_per_operation", Leg::cpuMillisPerOperation),
            new Figure(
                    "update p50 ms",
                    "update_p50_ms",
                    leg -> Summary.ofMicros(leg.updates()).p50()),
            new Figure(
                    "update p99 ms",
                    "update_p99_ms",
                    leg -> Summary.ofMicros(leg.updates()).p99()),
            new Figure(
                    "read p50 ms",
                    "read_p50_ms",
                    leg -> Summary.ofMicros(leg.reads()).p50()),
            new Figure(
                    "read p99 ms",
                    "read_p99_ms",
                    leg -> Summary.ofMicros(leg.reads()).p99()));

    private static final Figure APART = new Figure("processors counted apart", "apart_cores", Leg::apartCores);

    private List<Figure> shown() {
        return together(true).apartSeconds() > 0
                ? Stream.concat(FIGURES.stream(), Stream.of(APART)).toList()
                : FIGURES;
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

    public List<String> lines() {
        Leg off = together(false);
        Leg on = together(true);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, ROW, "", "off", subject.level(), "ratio"));
        for (Figure figure : shown()) {
            double without = figure.value().applyAsDouble(off);
            double with = figure.value().applyAsDouble(on);
            if (without == 0 && with == 0) {
                continue; // a workload of updates has no reads
            }
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    figure.name(),
                    String.format(Locale.ROOT, "%,.2f", without),
                    String.format(Locale.ROOT, "%,.2f", with),
                    String.format(Locale.ROOT, "%.3f", with / without)));
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
        JsonReport.write(json(), file);
    }

    /** The comparison for programs: the components are the keys. */
    private record Json(
            int schemaVersion,
            String compared,
            String level,
            int clients,
            int legSeconds,
            int rttMs,
            LoadModel load,
            String order,
            Map<String, Number> off,
            Map<String, Number> on,
            Map<String, Number> ratio,
            Map<String, Double> figures,
            long errors,
            boolean converged) {}

    private Json json() {
        Leg off = together(false);
        Leg on = together(true);
        Map<String, Number> without = new LinkedHashMap<>();
        Map<String, Number> with = new LinkedHashMap<>();
        Map<String, Number> ratio = new LinkedHashMap<>();
        for (Figure figure : shown()) {
            double before = figure.value().applyAsDouble(off);
            double after = figure.value().applyAsDouble(on);
            without.put(figure.key(), before);
            with.put(figure.key(), after);
            ratio.put(figure.key(), after / before);
        }
        without.put(subject.counted(), off.counted());
        with.put(subject.counted(), on.counted());
        return new Json(
                JsonReport.SCHEMA_VERSION,
                subject.name(),
                subject.level(),
                settings.clients(),
                settings.seconds(),
                settings.rttMillis(),
                settings.load(),
                "off on on off",
                without,
                with,
                ratio,
                figures,
                off.errors() + on.errors(),
                convergence.converged());
    }
}

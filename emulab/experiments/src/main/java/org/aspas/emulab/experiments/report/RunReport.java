package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.sim.script.JsonReport;
import org.aspas.emulab.testbed.attack.ByzantineReport;
import org.aspas.emulab.testbed.cluster.DelayReport;
import org.aspas.emulab.workload.Convergence;
import org.aspas.emulab.workload.Measures;
import org.aspas.emulab.workload.ToleranceClass;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one run.
 *
 * @param elapsedSeconds how long the workload ran
 * @param operations how many operations succeeded
 * @param errors how many operations or confirmations failed
 * @param failedUpdates how many of them were updates or their confirmations
 * @param verificationFailures how many of the clients' checks failed
 * @param certificates how many certificates were made during the run
 * @param lagByPart the certification lag in each third of the run
 * @param inspections how many inspections the clients began
 * @param byzantine what became of the attack; null without one
 * @param delays what delays were asked for and what they were; null without a world
 * @param costs what it took, from counters; null where nothing was counted
 * @param systemFigures the system's own figures, by name; empty when it has none
 */
public record RunReport(
        RunSettings settings,
        double elapsedSeconds,
        MachineFigures machine,
        long operations,
        long errors,
        long failedUpdates,
        List<String> firstErrors,
        long verificationFailures,
        long certificates,
        GeneratorFigures generator,
        Latency latency,
        Map<ToleranceClass, ClassReport> classes,
        Summary lag,
        List<Summary> lagByPart,
        LagSteps lagSteps,
        long inspections,
        Convergence convergence,
        @Nullable ByzantineReport byzantine,
        @Nullable DelayReport delays,
        @Nullable CostFigures costs,
        SortedMap<String, Double> systemFigures) {
    /** The exit code of a run whose figures are the generator's rather than the system's. */
    public static final int INVALID = 4;

    /** Latency of one class of clients. */
    public record ClassReport(int clients, Latency latency) {}

    public static RunReport of(
            RunSettings settings,
            Measures measures,
            double elapsedSeconds,
            MachineFigures machine,
            long verificationFailures,
            long certificates,
            long inspections,
            Convergence convergence) {
        Map<ToleranceClass, ClassReport> classes = new TreeMap<>();
        List<ToleranceClass> mix = settings.classes();
        for (ToleranceClass tolerance : settings.mix().classes()) {
            int clients = (int) mix.stream().filter(tolerance::equals).count();
            classes.put(tolerance, new ClassReport(clients, Latency.of(measures, List.of(tolerance))));
        }
        List<Histogram> lags = List.of(measures.lag(0), measures.lag(1), measures.lag(2));
        Histogram lag = new Histogram(3);
        lags.forEach(lag::add);
        return new RunReport(
                settings,
                elapsedSeconds,
                machine,
                measures.operations(),
                measures.errors(),
                measures.failedUpdates(),
                measures.firstErrors(),
                verificationFailures,
                certificates,
                GeneratorFigures.of(settings.load(), measures.generator()),
                Latency.of(measures, measures.classes()),
                classes,
                Summary.ofMicros(lag),
                lags.stream().map(Summary::ofMicros).toList(),
                LagSteps.NONE,
                inspections,
                convergence,
                null,
                null,
                null,
                Collections.emptySortedMap());
    }

    public RunReport attacked(@Nullable ByzantineReport report) {
        return with(lagSteps, report, delays, costs, systemFigures);
    }

    public RunReport delayed(@Nullable DelayReport report) {
        return with(lagSteps, byzantine, report, costs, systemFigures);
    }

    public RunReport figured(SortedMap<String, Double> figures) {
        return with(lagSteps, byzantine, delays, costs, figures);
    }

    public RunReport stepped(LagSteps steps) {
        return with(steps, byzantine, delays, costs, systemFigures);
    }

    public RunReport costing(CostFigures counted) {
        return with(lagSteps, byzantine, delays, counted, systemFigures);
    }

    private RunReport with(
            LagSteps steps,
            @Nullable ByzantineReport attack,
            @Nullable DelayReport network,
            @Nullable CostFigures counted,
            SortedMap<String, Double> figures) {
        return new RunReport(
                settings,
                elapsedSeconds,
                machine,
                operations,
                errors,
                failedUpdates,
                firstErrors,
                verificationFailures,
                certificates,
                generator,
                latency,
                classes,
                lag,
                lagByPart,
                steps,
                inspections,
                convergence,
                attack,
                network,
                counted,
                figures);
    }

    public String json() {
        return JsonReport.text(figures());
    }

    /** Writes the report as JSON, making the folders the file lies in. */
    public void write(Path file) throws IOException {
        JsonReport.write(figures(), file);
    }

    /** All figures: counts are whole numbers, times are milliseconds. */
    FigureTree figures() {
        FigureTree byClass = new FigureTree();
        classes.forEach((tolerance, of) -> byClass.with(
                tolerance.key(),
                new FigureTree()
                        .with("clients", of.clients())
                        .with("operations", of.latency().all().count())
                        .with("latency_ms", of.latency())));
        return new FigureTree()
                .with("schema_version", JsonReport.SCHEMA_VERSION)
                .with("operations", operations)
                .with("operations_per_second", operationsPerSecond())
                .with("errors", errors)
                .with("failed_updates", failedUpdates)
                .with("verification_failures", verificationFailures)
                .with("certificates", certificates)
                .with("certificates_per_second", certificatesPerSecond())
                .with("converged", convergence.converged())
                .with("valid", valid())
                .with("generator", generator)
                .with("machine", machine)
                .with("latency_ms", latency)
                .with("classes", byClass)
                .with(
                        "certification_lag_ms",
                        FigureTree.of(lag)
                                .with("first_third", lagByPart.get(0))
                                .with("last_third", lagByPart.get(lagByPart.size() - 1)))
                .withKnown("lag_steps_ms", lagSteps.figures())
                .withKnown(
                        "lag_sites_ms",
                        lagSteps.sites().stream().map(SiteLag::figures).toList())
                .with("convergence", convergence)
                .with("cpu_seconds", cpuSeconds())
                .with("cpu_ms_per_operation", cpuMillisPerOperation())
                .with("elapsed_seconds", elapsedSeconds)
                .with("settings", settings)
                .with("inspections", inspections)
                .withKnown("byzantine", byzantine == null ? null : AttackTable.figures(byzantine))
                .withKnown("delays", delays == null ? null : DelayTable.figures(delays))
                .withKnown("costs", costs)
                .withKnown("system_figures", systemFigures)
                .with("first_errors", firstErrors);
    }

    public double operationsPerSecond() {
        return operations / elapsedSeconds;
    }

    /** The processor time of servers and clients, in seconds; 0 where it is not known. */
    public double cpuSeconds() {
        return machine.cpuSeconds();
    }

    /** Processor time of servers and clients per successful operation, in milliseconds. */
    public double cpuMillisPerOperation() {
        return operations == 0 ? 0 : cpuSeconds() * 1000 / operations;
    }

    public double certificatesPerSecond() {
        return certificates / elapsedSeconds;
    }

    /**
     * Whether the run is a success: all correct appservers agree, there was no error and no failed check, and the system did
     * what an open loop asked of it. Under an
     * attack checks may fail and reads may come to nothing, but no update may, and no correct party may be harmed.
     */
    public boolean clean() {
        boolean expected = byzantine == null
                ? errors == 0 && verificationFailures == 0
                : failedUpdates == 0 && byzantine.withstood();
        return expected && convergence.converged() && generator.overload() == null;
    }

    /** Whether the figures are the system's, and not those of the generator or of its clients. */
    public boolean valid() {
        return generator.valid() && machine.invalid().isEmpty();
    }

    /** 0 for a clean run, 1 for one with an error, and 4 for one whose figures are not the system's. */
    public int exitCode() {
        return !clean() ? 1 : valid() ? 0 : INVALID;
    }
}

package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.sim.script.JsonReport;

/**
 * The steps of a ramp. A step that is not valid is no point of a curve.
 *
 * @param steps in the order in which they ran, each with more clients than the one before
 * @param end why there are no more
 */
public record RampReport(List<RunReport> steps, String end) {
    /** A step with less than this gain in throughput over the one before counts as saturated. */
    private static final double LEAST_GAIN = 1.05;

    private static final String STEP = "  {settings.clients|%7d|clients} {operations_per_second|%,10.0f|ops/s}"
            + " {latency_ms.p50|%9.1f|p50 ms} {latency_ms.p99|%9.1f|p99 ms} {cpu_ms_per_operation|%10.2f|CPU ms/op}"
            + " {generator.little|%8.3f|N/(X·R)} {|%9s|busy} {errors|%7d|errors}  {}";

    public RampReport {
        steps = List.copyOf(steps);
    }

    /** Why no more steps are worth while; empty while they are. */
    public static Optional<String> saturation(List<RunReport> steps) {
        RunReport last = steps.get(steps.size() - 1);
        if (!last.valid()) {
            return Optional.of(
                    "the generator is saturated at " + last.settings().clients() + " clients");
        }
        if (!last.clean()) {
            return Optional.of(
                    "errors, or servers that disagree, at " + last.settings().clients() + " clients");
        }
        if (steps.size() < 2) {
            return Optional.empty();
        }
        double gain = last.operationsPerSecond() / steps.get(steps.size() - 2).operationsPerSecond();
        return gain >= LEAST_GAIN
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "saturated: %d clients do %.2f times what %d do",
                        last.settings().clients(),
                        gain,
                        steps.get(steps.size() - 2).settings().clients()));
    }

    /** 0 when all steps are clean and valid, 1 when one is not clean, 4 when one is not valid. */
    public int exitCode() {
        return SystemRatios.exitCode(steps);
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(FigureTree.head(STEP));
        for (RunReport step : steps) {
            FigureTree figures = step.figures();
            lines.add(figures.line(STEP, figures.line("{machine.busy*100|%.0f} %"), step.valid() ? "" : "INVALID"));
        }
        lines.add("  " + end);
        return lines;
    }

    /** Writes all steps as JSON, making the folders the file lies in. */
    public void write(Path file) throws IOException {
        FigureTree figures = new FigureTree()
                .with("schema_version", JsonReport.SCHEMA_VERSION)
                .with("end", end)
                .with("valid", steps.stream().allMatch(RunReport::valid))
                .with("steps", steps.stream().map(RunReport::figures).toList());
        JsonReport.write(figures, file);
    }
}

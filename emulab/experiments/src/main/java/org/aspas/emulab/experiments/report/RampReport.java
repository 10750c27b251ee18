package org.aspas.emulab.experiments.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    private static final String ROW = "  %7s %10s %9s %9s %10s %8s %9s %7s  %s";

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
        lines.add(String.format(
                Locale.ROOT,
                ROW,
                "clients",
                "ops/s",
                "p50 ms",
                "p99 ms",
                "CPU ms/op",
                "N/(X·R)",
                "busy",
                "errors",
                ""));
        steps.forEach(step -> lines.add(String.format(
                Locale.ROOT,
                ROW,
                step.settings().clients(),
                String.format(Locale.ROOT, "%,.0f", step.operationsPerSecond()),
                String.format(Locale.ROOT, "%.1f", step.latency().all().p50()),
                String.format(Locale.ROOT, "%.1f", step.latency().all().p99()),
                String.format(Locale.ROOT, "%.2f", step.cpuMillisPerOperation()),
                String.format(Locale.ROOT, "%.3f", step.generator().little()),
                String.format(Locale.ROOT, "%.0f %%", 100 * step.machine().busy()),
                step.errors(),
                step.valid() ? "" : "INVALID")));
        lines.add("  " + end);
        return lines;
    }

    /** Writes all steps as JSON, making the folders the file lies in. */
    public void write(Path file) throws IOException {
        JsonReport.write(
                new Json(
                        JsonReport.SCHEMA_VERSION,
                        end,
                        steps.stream().allMatch(RunReport::valid),
                        steps.stream().map(RunJson::of).toList()),
                file);
    }

    /** The ramp for programs: the components are the keys. */
    private record Json(int schemaVersion, String end, boolean valid, List<RunJson> steps) {}
}

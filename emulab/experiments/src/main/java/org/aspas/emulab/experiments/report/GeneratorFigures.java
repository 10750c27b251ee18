package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.workload.GeneratorRecord;
import org.aspas.emulab.workload.LoadModel;
import org.jspecify.annotations.Nullable;

/**
 * What the generator of the load did, and whether its figures are those of the system.
 *
 * @param load when operations began, for people
 * @param little N/(X·R): open operations by how long they were the system's, over throughput times reported latency
 * @param late how late operations of an open loop began; null in a closed loop
 * @param mostOpen the most operations of an open loop that were ever open; 0 in a closed loop
 * @param openAtEnd how many operations of an open loop were open when the last one had begun; 0 in a closed loop
 * @param overload why an open loop ended before its time; null when it did not
 * @param cpuSeconds the CPU time of the generator's own threads, without what its clients do
 * @param invalid why the figures are the generator's rather than the system's; empty for a valid run
 */
public record GeneratorFigures(
        String load,
        double little,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Summary late,
        int mostOpen,
        int openAtEnd,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String overload,
        double cpuSeconds,
        List<String> invalid) {
    /** N/(X·R) may be this far from 1. */
    public static final double LITTLE_TOLERANCE = 0.1;

    /** One operation in a hundred may begin this late. */
    public static final double LATE_P99_MILLIS = 10;

    public GeneratorFigures {
        invalid = List.copyOf(invalid);
    }

    public static GeneratorFigures of(LoadModel model, GeneratorRecord record) {
        boolean open = model instanceof LoadModel.Open;
        Summary late = open ? Summary.ofMicros(record.late()) : null;
        List<String> invalid = new ArrayList<>();
        if (Math.abs(record.little() - 1) > LITTLE_TOLERANCE) {
            invalid.add(String.format(
                    Locale.ROOT,
                    "N/(X·R) is %.2f, more than %.1f from 1: the generator %s",
                    record.little(),
                    LITTLE_TOLERANCE,
                    record.little() > 1
                            ? "does not begin operations as soon as it could"
                            : "begins operations later than it should"));
        }
        if (late != null && late.p99() > LATE_P99_MILLIS) {
            invalid.add(String.format(
                    Locale.ROOT,
                    "one operation in a hundred began %.1f ms late or more; %.0f ms are borne",
                    late.p99(),
                    LATE_P99_MILLIS));
        }
        return new GeneratorFigures(
                model.label(),
                record.little(),
                late,
                record.mostOpen(),
                record.openAtEnd(),
                record.overload().orElse(null),
                record.processorSeconds(),
                invalid);
    }

    /** Whether the figures are the system's. */
    public boolean valid() {
        return invalid.isEmpty();
    }

    List<String> lines() {
        FigureTree figures = FigureTree.of(this);
        List<String> lines = new ArrayList<>();
        lines.add("  load                   " + load);
        lines.add(figures.line(
                "  N/(X·R)                {little|%.3f}   (generator's own CPU time {cpu_seconds|%.2f} s)"));
        if (late != null) {
            lines.add(figures.line(
                    "  begun late, ms         p50 {late.p50|%.2f}, p99 {late.p99|%.2f}, max {late.max|%.1f}"));
            lines.add(figures.line("  open operations        at most {most_open|%,d}; at the end {open_at_end|%,d}"));
        }
        if (overload != null) {
            lines.add("  OVERLOADED             " + overload);
        }
        invalid.forEach(reason -> lines.add("  INVALID                " + reason));
        return lines;
    }
}

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.lab.delay.DelayReport;

/** Asked against measured delays as lines for people; plain text, at most 80 columns. */
public final class DelayTable {
    private static final String HEAD = "  %-21s %9s %9s %9s %8s %8s %8s";
    private static final String ROW = "  %-21s %,9d %9.2f %9.2f %8.2f %8.2f %8.2f%s";

    private DelayTable() {}

    /**
     * The lines of the table.
     *
     * @param cpuSeconds the processor time of the whole run; 0 where it is not known
     */
    public static List<String> lines(DelayReport report, double cpuSeconds) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, HEAD, "delay, ms, one way", "frames", "asked", "measured", "late p50", "late p99", "max"));
        for (DelayReport.Network network : report.networks()) {
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    network.name(),
                    network.frames(),
                    network.askedMs(),
                    network.measuredMs(),
                    network.lateP50Ms(),
                    network.lateP99Ms(),
                    network.lateMaxMs(),
                    network.valid() ? "" : " !"));
        }
        if (cpuSeconds > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  timer of the delays: %.1f %% of the processor time",
                    100 * report.emulatorCpuSeconds() / cpuSeconds));
        }
        if (!report.valid()) {
            lines.add("  INVALID: frames marked ! were more than 1 ms late (p99); latencies mean nothing");
        }
        return lines;
    }
}

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.testbed.cluster.DelayReport;

/** Asked against measured delays as lines for people; plain text, at most 80 columns. */
public final class DelayTable {
    private static final String HEAD = "  %-21s %9s %6s %8s %8s %5s %5s %6s";
    private static final String ROW = "  %-21s %,9d %6.2f %8.2f %8.2f %5.2f %5.2f %6.2f%s";

    private DelayTable() {}

    /**
     * The lines of the table.
     *
     * @param cpuSeconds the processor time of the whole run; 0 where it is not known
     */
    public static List<String> lines(DelayReport report, double cpuSeconds) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                HEAD,
                "delay, ms, one way",
                "frames",
                "asked",
                "measured",
                "late p50",
                "p95",
                "p99",
                "max"));
        for (DelayReport.Network network : report.networks()) {
            lines.add(String.format(
                    Locale.ROOT,
                    ROW,
                    network.name(),
                    network.frames(),
                    network.askedMs(),
                    network.measuredMs(),
                    network.lateP50Ms(),
                    network.lateP95Ms(),
                    network.lateP99Ms(),
                    network.lateMaxMs(),
                    mark(network)));
        }
        if (cpuSeconds > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  timer of the delays: %.1f %% of the processor time",
                    100 * report.emulatorCpuSeconds() / cpuSeconds));
        }
        if (report.promptThreads() > 0) {
            lines.add("  threads of the delays and links that run as soon as they wake: " + report.promptThreads());
        }
        if (!report.valid()) {
            lines.add("  INVALID: frames marked ! were more than 1 ms late (p95); latencies mean nothing");
        }
        if (report.valid() && !report.tailsHeld()) {
            lines.add("  ~: more than 1 ms late at p99; p99 and max of latencies mean nothing");
        }
        return lines;
    }

    private static String mark(DelayReport.Network network) {
        if (!network.valid()) {
            return " !";
        }
        return network.tailsHeld() ? "" : " ~";
    }
}

package org.aspas.emulab.experiments.report;

import java.util.ArrayList;
import java.util.List;
import org.aspas.emulab.sim.script.FigureTree;
import org.aspas.emulab.testbed.cluster.DelayReport;

/** Asked against measured delays as lines for people; plain text, at most 80 columns. */
public final class DelayTable {
    private static final String NETWORK =
            "  {name|%-21s|delay, ms, one way} {frames|%,9d|frames} {asked_ms|%6.2f|asked}"
                    + " {measured_ms|%8.2f|measured} {late_ms.p50|%8.2f|late p50} {late_ms.p95|%5.2f|p95} {late_ms.p99|%5.2f|p99}"
                    + " {late_ms.max|%6.2f|max}{}";

    private DelayTable() {}

    static FigureTree figures(DelayReport report) {
        return new FigureTree()
                .with("world", report.world())
                .with("valid", report.valid())
                .with("emulator_cpu_seconds", report.emulatorCpuSeconds())
                .with("prompt_threads", report.promptThreads())
                .with(
                        "networks",
                        report.networks().stream().map(DelayTable::figures).toList());
    }

    private static FigureTree figures(DelayReport.Network network) {
        return new FigureTree()
                .with("name", network.name())
                .with("frames", network.frames())
                .with("asked_ms", network.askedMs())
                .with("measured_ms", network.measuredMs())
                .with(
                        "late_ms",
                        new FigureTree()
                                .with("p50", network.lateP50Ms())
                                .with("p95", network.lateP95Ms())
                                .with("p99", network.lateP99Ms())
                                .with("max", network.lateMaxMs()))
                .with("valid", network.valid());
    }

    /**
     * The lines of the table.
     *
     * @param cpuSeconds the processor time of the whole run; 0 where it is not known
     */
    public static List<String> lines(DelayReport report, double cpuSeconds) {
        FigureTree figures = figures(report);
        List<String> lines = new ArrayList<>();
        lines.add(FigureTree.head(NETWORK));
        report.networks().forEach(network -> lines.add(figures(network).line(NETWORK, mark(network))));
        if (cpuSeconds > 0) {
            lines.add(figures.line(
                    "  timer of the delays: {|%.1f} % of the processor time",
                    100 * report.emulatorCpuSeconds() / cpuSeconds));
        }
        if (report.promptThreads() > 0) {
            lines.add(
                    figures.line("  threads of the delays and links that run as soon as they wake: {prompt_threads}"));
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

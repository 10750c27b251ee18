package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.LoadedSystem;
import org.aspas.emulab.sim.node.Machine;
import org.aspas.emulab.sim.node.ProcessorModel;
import org.aspas.emulab.sim.node.Processors;

/**
 * What the clients' load met on machines where work takes time: after the warm-up, until the clients stop.
 *
 * @param seconds how long it was measured, in virtual time
 * @param answers how many updates were answered in that time
 * @param confirmations how many were confirmed
 * @param meanMicros the mean time from an update's submission to its answer
 * @param measured all those times, and those to confirmations
 */
public record LoadFigures(
        LoadedSystem system,
        int clients,
        double seconds,
        long answers,
        long confirmations,
        double meanMicros,
        Figures.Measured measured,
        List<SideUsage> sides) {
    private static final double MILLIS = 1e3;
    private static final String SIDE =
            "{side|%-12s|machines} {machines|%8d|number} {cores|%6d|cores} {busy*100|%7.1f|busy %}"
                    + " {busiest*100|%9.1f|busiest %} {mean_waiting|%13.2f|waiting: mean} {most_waiting|%13d|most}";

    /**
     * What the machines of one side did.
     *
     * @param cores how many cores each has
     * @param busy the part of their time in which the cores worked, over all machines of the side
     * @param busiest the same for the busiest machine
     * @param meanWaiting how many tasks waited at a machine, on average over time and machines
     * @param mostWaiting how many waited at one machine at the worst moment
     */
    public record SideUsage(
            Processors.Side side,
            int machines,
            int cores,
            double busy,
            double busiest,
            double meanWaiting,
            int mostWaiting) {
        private FigureTree figures() {
            return FigureTree.of(this).with("side", side.name().toLowerCase(Locale.ROOT));
        }
    }

    public LoadFigures {
        sides = List.copyOf(sides);
    }

    static LoadFigures of(Settings settings, Figures.Measured measured, Processors processors) {
        List<SideUsage> sides = new ArrayList<>();
        for (Processors.Side side : Processors.Side.values()) {
            Collection<Machine> machines = processors.of(side);
            if (!machines.isEmpty()) {
                sides.add(usage(side, machines));
            }
        }
        ProcessorModel model = Objects.requireNonNull(settings.processors());
        return new LoadFigures(
                model.system(),
                settings.clients(),
                (settings.micros() - model.warmUpMicros()) / 1e6,
                measured.latencies().size(),
                measured.lags().size(),
                measured.latencies().stream()
                        .mapToLong(Long::longValue)
                        .average()
                        .orElse(0),
                measured,
                sides);
    }

    private static SideUsage usage(Processors.Side side, Collection<Machine> machines) {
        List<Machine.Usage> all = machines.stream().map(Machine::usage).toList();
        return new SideUsage(
                side,
                all.size(),
                all.get(0).cores(),
                all.stream().mapToDouble(Machine.Usage::busy).average().orElse(0),
                all.stream().mapToDouble(Machine.Usage::busy).max().orElse(0),
                all.stream().mapToDouble(Machine.Usage::meanWaiting).average().orElse(0),
                all.stream().mapToInt(Machine.Usage::mostWaiting).max().orElse(0));
    }

    /** How many updates were answered in a second. */
    public double throughput() {
        return seconds > 0 ? answers / seconds : 0;
    }

    /**
     * Little's law: the clients over throughput times mean latency. Near 1 for clients that call as soon as they are
     * answered; above 1 for clients that pause; 0 without any answer.
     */
    public double little() {
        double inSystem = throughput() * meanMicros / 1e6;
        return inSystem > 0 ? clients / inSystem : 0;
    }

    /** Times are in milliseconds of virtual time, the parts in which processors were busy from 0 to 1. */
    FigureTree figures() {
        List<Long> latencies = measured.latencies();
        List<Long> lags = measured.lags();
        return new FigureTree()
                .with("system", system.name().toLowerCase(Locale.ROOT))
                .with("clients", clients)
                .with("seconds", seconds)
                .with("throughput", throughput())
                .with("latency_mean_ms", meanMicros / MILLIS)
                .with("latency_p50_ms", Figures.Measured.at(latencies, 0.5) / MILLIS)
                .with("latency_p95_ms", Figures.Measured.at(latencies, 0.95) / MILLIS)
                .with("latency_p99_ms", Figures.Measured.at(latencies, 0.99) / MILLIS)
                .with("confirmations", confirmations)
                .with("lag_p50_ms", Figures.Measured.at(lags, 0.5) / MILLIS)
                .with("lag_p99_ms", Figures.Measured.at(lags, 0.99) / MILLIS)
                .with("little_nover_xr", little())
                .with("sides", sides.stream().map(SideUsage::figures).toList());
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(figures()
                .line("{system}, {clients} clients, {seconds|%.1f} s: {throughput|%.0f} updates/s;"
                        + " latency p50 {latency_p50_ms|%.1f}, p99 {latency_p99_ms|%.1f}, mean {latency_mean_ms|%.1f} ms;"
                        + " lag p50 {lag_p50_ms|%.1f}, p99 {lag_p99_ms|%.1f} ms; N/(X R) = {little_nover_xr|%.3f}"));
        lines.add(FigureTree.head(SIDE));
        sides.forEach(side -> lines.add(side.figures().line(SIDE)));
        return lines;
    }
}

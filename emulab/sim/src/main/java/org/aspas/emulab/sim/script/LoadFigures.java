package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.aspas.emulab.sim.node.Figures;
import org.aspas.emulab.sim.node.Machine;
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
        int clients,
        double seconds,
        long answers,
        long confirmations,
        double meanMicros,
        Figures.Measured measured,
        List<SideUsage> sides) {
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
            int mostWaiting) {}

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
        long warmUp = Objects.requireNonNull(settings.processors()).warmUpMicros();
        return new LoadFigures(
                settings.clients(),
                (settings.micros() - warmUp) / 1e6,
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
}

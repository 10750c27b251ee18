package org.aspas.emulab.experiments.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.aspas.emulab.sim.script.FigureTree;
import org.jspecify.annotations.Nullable;

/**
 * What a run took of the machine's processors, and what others took meanwhile. Shares are parts of all processors, 0 to 1.
 *
 * @param loadAtStart the load average of the last minute before the run; negative where it is not known
 * @param busy the share that anybody took; 0 where it is not known
 * @param steal the share that another virtual machine had; 0 where it is not known
 * @param servers what the servers' processes took; null when clients and servers share one process
 * @param clients what the clients' process took, or all in one
 */
public record MachineFigures(
        int cores,
        double loadAtStart,
        double busy,
        double steal,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Side servers,
        Side clients) {
    /** From this share on a side is said to be saturated. */
    public static final double SATURATED = 0.7;

    /**
     * One side of a run.
     *
     * @param share of all processors
     */
    public record Side(double cpuSeconds, double share) {
        /** Whether it is what limits the run. */
        public boolean saturated() {
            return share > SATURATED;
        }
    }

    /**
     * The figures of a run.
     *
     * @param hereSeconds the processor time of this process
     * @param elsewhereSeconds the processor time of the servers' processes; 0 when there are none
     */
    public static MachineFigures of(
            int cores,
            double seconds,
            double loadAtStart,
            double busy,
            double steal,
            double hereSeconds,
            double elsewhereSeconds) {
        double all = seconds * cores;
        return new MachineFigures(
                cores,
                loadAtStart,
                busy,
                steal,
                elsewhereSeconds == 0 ? null : new Side(elsewhereSeconds, elsewhereSeconds / all),
                new Side(hereSeconds, hereSeconds / all));
    }

    public double cpuSeconds() {
        return clients.cpuSeconds() + (servers == null ? 0 : servers.cpuSeconds());
    }

    /** Why the figures are the clients' rather than the servers'; empty where they are not, or the sides cannot be told apart. */
    public List<String> invalid() {
        return servers != null && clients.saturated()
                ? List.of(String.format(
                        Locale.ROOT,
                        "the clients' process took %.0f %% of the processors, more than %.0f %%",
                        100 * clients.share(),
                        100 * SATURATED))
                : List.of();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (servers == null) {
            lines.add(side("processors", clients) + ", servers and clients in one process");
        } else {
            lines.add(side("servers' processors", servers));
            lines.add(side("clients' processors", clients));
        }
        lines.add(FigureTree.of(this)
                .line("  machine                {busy*100|%.0f} % busy, {steal*100|%.1f} % stolen, load"
                        + " {load_at_start|%.1f} at the start"));
        invalid().forEach(reason -> lines.add("  INVALID                " + reason));
        return lines;
    }

    private String side(String name, Side side) {
        return FigureTree.of(side)
                .line(
                        "  {|%-22s} {share*100|%.0f} % of {} cores{}",
                        name, cores, side.saturated() ? ", above 70 %" : "");
    }
}

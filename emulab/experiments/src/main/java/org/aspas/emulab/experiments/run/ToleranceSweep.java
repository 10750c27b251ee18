package org.aspas.emulab.experiments.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.aspas.emulab.sim.script.RunResult;
import org.aspas.emulab.sim.script.Settings;
import org.aspas.emulab.sim.script.Simulation;

/**
 * The same workload at one τ after the other. Clients call at random times, whether their updates are confirmed or not
 * (open loop): so many updates of one client are open at once as its rate and the lag make.
 *
 * <p>An update waits when it finds τ of its client's own updates unconfirmed. Without a bound an update finds rate x lag of
 * them (Little): the search for the smallest τ at which at most one update in a hundred waits begins one above the 99th
 * percentile of that. What is found is recommended, and the recommendation is run with another seed.
 */
public final class ToleranceSweep {
    /** At most this share of the updates waits at a τ that is called free of waiting. */
    public static final double FREE = 0.01;

    private static final int MOST_STEPS = 20;
    private static final List<Long> USUAL = List.of(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L);

    private final Settings settings;

    /** Sweeps a workload; a τ in its settings is overridden. */
    public ToleranceSweep(Settings settings) {
        this.settings = settings;
    }

    /**
     * What came out.
     *
     * @param rows by τ, the one without a bound last
     * @param littleTau rate x lag: a client's updates per second times the 99th percentile of the time to confirmation
     * @param recommendedTau the smallest τ that was free of waiting; 0 when none was found
     * @param validation the run with another seed at that τ
     */
    public record Result(List<ToleranceRow> rows, double littleTau, long recommendedTau, ToleranceRow validation) {
        public Result {
            rows = List.copyOf(rows);
        }

        /** Whether the recommendation was free of waiting when it was run again. */
        public boolean holds() {
            return recommendedTau > 0 && validation.waitedShare() <= FREE;
        }
    }

    /** Runs every τ, and passes on each row as soon as it is there. */
    public Result run(Consumer<ToleranceRow> told) {
        RunResult unbounded = Simulation.run(settings.withTolerance(0));
        ToleranceRow free = row(0, unbounded);
        double perSecond = unbounded.figures().submissions() * 1e6 / settings.micros() / settings.clients();
        double little = perSecond * free.confirmedP99Ms() / 1e3;
        List<ToleranceRow> rows = new ArrayList<>();
        for (long tau : USUAL) {
            if (tau <= free.unconfirmedP99()) {
                add(rows, told, run(tau, settings));
            }
        }
        long recommended = search(free.unconfirmedP99() + 1, rows, told);
        add(rows, told, free);
        return new Result(rows, little, recommended, run(recommended, settings.withSeed(settings.seed() + 1)));
    }

    private long search(long first, List<ToleranceRow> rows, Consumer<ToleranceRow> told) {
        for (long tau = first; tau < first + MOST_STEPS; tau++) {
            ToleranceRow row = run(tau, settings);
            add(rows, told, row);
            if (row.waitedShare() <= FREE) {
                return tau;
            }
        }
        return 0;
    }

    private static void add(List<ToleranceRow> rows, Consumer<ToleranceRow> told, ToleranceRow row) {
        rows.add(row);
        told.accept(row);
    }

    private static ToleranceRow run(long tau, Settings settings) {
        return row(tau, Simulation.run(settings.withTolerance(tau)));
    }

    private static ToleranceRow row(long tau, RunResult result) {
        return ToleranceRow.of(tau, result.figures(), result.violations().size());
    }
}

package org.aspas.emulab.sim;

import java.util.concurrent.Callable;
import org.aspas.emulab.sim.run.RunResult;
import org.aspas.emulab.sim.run.Settings;
import org.aspas.emulab.sim.run.Simulation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code aspas simulate}. */
@Command(name = "simulate", description = "Run the cores of all tiers in virtual time, with faults and liars.")
public final class SimulateCommand implements Callable<Integer> {
    @Option(names = "--seed", defaultValue = "1")
    private long seed = 1;

    @Option(names = "--runs", defaultValue = "1")
    private int runs = 1;

    @Override
    public Integer call() {
        for (int i = 0; i < runs; i++) {
            long start = System.nanoTime();
            RunResult result = Simulation.run(Settings.of(seed + i).withTrace(60));
            System.out.printf(
                    "%d %s virt %.1f s settled %.1f events %d certs %d answers %d real %.0f ms %s%n",
                    seed + i,
                    result.traceHash().substring(0, 12),
                    result.micros() / 1e6,
                    result.settledMicros() / 1e6,
                    result.events(),
                    result.certificates(),
                    result.figures().answers(),
                    (System.nanoTime() - start) / 1e6,
                    result.violations());
            if (!result.violations().isEmpty() && runs == 1) {
                result.faults().forEach(System.out::println);
                result.tail().forEach(System.out::println);
            }
        }
        return 0;
    }
}

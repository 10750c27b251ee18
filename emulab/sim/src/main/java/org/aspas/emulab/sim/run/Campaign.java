package org.aspas.emulab.sim.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Many runs, each with its own seed, on several threads: a run itself has one. */
public final class Campaign {
    private Campaign() {}

    /**
     * Runs all.
     *
     * @param runs how many
     * @param settings the settings of a run, by its number from 0; thread-safe
     * @param threads how many runs at once
     * @param finished is told of each run, one at a time, in any order
     * @return the results in order of their number
     */
    public static List<RunResult> run(
            int runs, IntFunction<Settings> settings, int threads, Consumer<RunResult> finished) {
        return run(runs, settings, run -> false, threads, finished);
    }

    /**
     * Runs all, and some of them without their Byzantine parties too.
     *
     * @param runs how many
     * @param settings the settings of a run, by its number from 0; thread-safe
     * @param compared which of them, by its number, to run without Byzantine parties too; thread-safe
     * @param threads how many runs at once
     * @param finished is told of each run, one at a time, in any order
     * @return the results in order of their number
     */
    public static List<RunResult> run(
            int runs,
            IntFunction<Settings> settings,
            IntPredicate compared,
            int threads,
            Consumer<RunResult> finished) {
        RunResult[] results = new RunResult[runs];
        List<Thread> workers = new ArrayList<>();
        for (int worker = 0; worker < threads; worker++) {
            int first = worker;
            Thread thread = new Thread(
                    () -> IntStream.iterate(first, i -> i < runs, i -> i + threads)
                            .forEach(i -> {
                                RunResult result = one(settings.apply(i), compared.test(i));
                                synchronized (results) {
                                    results[i] = result;
                                    finished.accept(result);
                                }
                            }),
                    "simulation-" + worker);
            thread.start();
            workers.add(thread);
        }
        for (Thread worker : workers) {
            join(worker);
        }
        return Arrays.asList(results);
    }

    private static RunResult one(Settings settings, boolean compared) {
        RunResult result = Simulation.run(settings);
        return compared && !settings.roles().isEmpty()
                ? result.comparedWith(Simulation.run(settings.withRoles(List.of())))
                : result;
    }

    private static void join(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while runs were under way", stop);
        }
    }
}

package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** Many runs, each with its own seed, on several threads: a run itself has one. */
public final class Campaign {
    private Campaign() {}

    /**
     * Runs all.
     *
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
     * @param settings the settings of a run, by its number from 0; thread-safe
     * @param compared which of them, by its number, to run without Byzantine parties too; thread-safe
     * @param threads how many runs at once
     * @param finished is told of each run, one at a time, in any order
     * @return the results in order of their number
     * @throws IllegalStateException when a run ends without a result, for example out of memory; the message names the run, and no
     *     other one begins
     */
    public static List<RunResult> run(
            int runs,
            IntFunction<Settings> settings,
            IntPredicate compared,
            int threads,
            Consumer<RunResult> finished) {
        RunResult[] results = new RunResult[runs];
        AtomicInteger next = new AtomicInteger();
        AtomicReference<IllegalStateException> failed = new AtomicReference<>();
        List<Thread> workers = new ArrayList<>();
        for (int worker = 0; worker < threads; worker++) {
            Thread thread = new Thread(
                    () -> {
                        for (int i = next.getAndIncrement();
                                i < runs && failed.get() == null;
                                i = next.getAndIncrement()) {
                            try {
                                RunResult result = one(settings.apply(i), compared.test(i));
                                synchronized (results) {
                                    results[i] = result;
                                    finished.accept(result);
                                }
                            } catch (RuntimeException | Error failure) {
                                failed.compareAndSet(
                                        null,
                                        new IllegalStateException(
                                                "run " + i + ", counted from 0, has no result: " + failure, failure));
                            }
                        }
                    },
                    "simulation-" + worker);
            thread.start();
            workers.add(thread);
        }
        for (Thread worker : workers) {
            join(worker);
        }
        if (failed.get() != null) {
            throw failed.get();
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

package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes a run that violates a guarantee smaller: less time, fewer clients, fewer roles, fewer faults, as long as the same
 * guarantee is violated. Deterministic: the same run shrinks to the same one.
 */
public final class Shrinker {
    private static final int MOST_RUNS = 120;
    private static final long LEAST_MICROS = 1_000_000;

    private final String guarantee;
    private RunResult best;
    private int runs;

    private Shrinker(RunResult result) {
        this.best = result;
        this.guarantee = result.violations().get(0).guarantee();
    }

    /**
     * The smallest run found that violates the same guarantee; the run itself where its order of events is exact.
     *
     * @param result a run with a violation
     */
    public static RunResult shrink(RunResult result) {
        if (result.settings().exact()) {
            return result;
        }
        Shrinker shrinker = new Shrinker(result);
        shrinker.shorter();
        shrinker.fewerClients();
        shrinker.fewerRoles();
        shrinker.fewerFaults();
        return shrinker.best;
    }

    private boolean attempt(Settings settings) {
        if (runs >= MOST_RUNS) {
            return false;
        }
        runs++;
        RunResult result = Simulation.run(settings);
        boolean same = result.violations().stream()
                .anyMatch(violation -> violation.guarantee().equals(guarantee));
        if (same) {
            best = result;
        }
        return same;
    }

    private void shorter() {
        boolean smaller = true;
        while (smaller && best.settings().micros() / 2 >= LEAST_MICROS) {
            smaller = attempt(best.settings().withMicros(best.settings().micros() / 2));
        }
    }

    private void fewerClients() {
        boolean smaller = true;
        while (smaller && best.settings().clients() > 1) {
            Settings settings = best.settings();
            smaller = attempt(settings.withClients(settings.clients() / 2, settings.pauseMicros()));
        }
    }

    private void fewerRoles() {
        for (String role : best.settings().roles()) {
            List<String> fewer = new ArrayList<>(best.settings().roles());
            fewer.remove(role);
            attempt(best.settings().withRoles(fewer));
        }
    }

    /** Leaves out half of the faults, then quarters, down to single ones. */
    private void fewerFaults() {
        for (int size = Math.max(1, best.faults().size() / 2); size >= 1; size /= 2) {
            List<Integer> present = List.copyOf(Simulation.faultNumbers(best));
            for (int from = 0; from < present.size(); from += size) {
                Set<Integer> leftOut = new TreeSet<>(best.settings().leftOut());
                leftOut.addAll(present.subList(from, Math.min(present.size(), from + size)));
                attempt(best.settings().without(leftOut));
            }
        }
    }
}

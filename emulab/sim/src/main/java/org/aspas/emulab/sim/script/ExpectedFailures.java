package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.aspas.emulab.sim.invariant.Violation;

/**
 * Scenarios that this version cannot survive, each with the guarantees of which it breaks one, and why. They hold the
 * simulator to the truth: whoever cures one finds that it passes, and deletes the line that begins with {@code fails}.
 */
public final class ExpectedFailures {
    private ExpectedFailures() {}

    /**
     * A scenario that fails.
     *
     * @param guarantees the names of the guarantees of which every run breaks one, and none besides
     * @param why what is missing
     */
    public record ExpectedFailure(Set<String> guarantees, String why, LongFunction<Settings> settings) {
        public ExpectedFailure {
            guarantees = Set.copyOf(guarantees);
        }

        /** Whether a run failed as it was expected to. */
        public boolean isShownBy(RunResult result) {
            Set<String> violated =
                    result.violations().stream().map(Violation::guarantee).collect(Collectors.toSet());
            return !violated.isEmpty() && guarantees.containsAll(violated);
        }

        public String sentence() {
            return "expected to fail: " + String.join(" or ", new TreeSet<>(guarantees)) + ": " + why;
        }
    }

    public static List<String> names() {
        return Scenarios.all().values().stream()
                .filter(scenario -> scenario.failing() != null)
                .map(Scenario::name)
                .toList();
    }

    public static Optional<ExpectedFailure> named(String name) {
        return Optional.ofNullable(Scenarios.all().get(name)).map(Scenario::failing);
    }
}

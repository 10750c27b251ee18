package org.aspas.emulab.sim.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Violation;
import org.aspas.emulab.sim.node.Conditions;
import org.aspas.emulab.sim.script.Fault.Kind;

/**
 * Scenarios that this version cannot survive, each with the guarantees of which it breaks one, and why. They hold the
 * simulator to the truth: whoever cures one finds that it passes, and moves it to the others.
 */
public final class ExpectedFailures {
    private static final Map<String, ExpectedFailure> ALL = new TreeMap<>();

    static {
        add(
                "record-lost-at-a-liar",
                Set.of("G7"),
                "a client has lost its record when it comes out that its Byzantine server acknowledged updates and"
                        + " dropped them: nobody gives them again",
                ExpectedFailures::lostAtLiar);
        add(
                "copied-removal",
                Set.of("schedule copied-removal"),
                "a Byzantine appserver enters a client's removal in its own log with dependencies that do not cover"
                        + " the add, has that certified first, and the client is told that its removal is confirmed",
                seed -> Settings.of(seed)
                        .withRoles(List.of("copied-removals"))
                        .withClients(8, 60 * Timeline.SECOND)
                        .withFaults(Set.of(), 1_000_000)
                        .withSchedule("copied-removal"));
    }

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

    private static void add(String name, Set<String> guarantees, String why, LongFunction<Settings> settings) {
        ALL.put(name, new ExpectedFailure(guarantees, why, settings));
    }

    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    public static Optional<ExpectedFailure> named(String name) {
        return Optional.ofNullable(ALL.get(name));
    }

    private static Settings lostAtLiar(long seed) {
        Settings settings = Settings.of(seed)
                .withRoles(List.of("silent-to-peers"))
                .withClients(8, 50_000)
                .withTolerance(0)
                .withFaults(Set.of(), 1_000_000);
        List<Fault> script = new ArrayList<>();
        for (int client = 0; client < settings.clients(); client++) {
            script.add(new Fault(
                    -1 - client,
                    Kind.DISK_LOST,
                    2 * Timeline.SECOND,
                    3 * Timeline.SECOND,
                    List.of(),
                    List.of(),
                    client,
                    Conditions.CALM));
        }
        return settings.withScript(script);
    }
}

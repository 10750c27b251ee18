package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.aspas.emulab.sim.invariant.Invariant.Check;

/** Gives each fact to the invariants that named its type, and keeps what they find. */
public final class Monitor {
    private static final int SHOWN_CALLS = 12;
    private static final int KEPT = 20;
    private static final Check[] NONE = {};

    private final List<Invariant> invariants;
    /** By the type of a fact, in the order of the invariants. Arrays, because a run has millions of facts. */
    private final Map<Class<? extends Fact>, Check[]> checks;

    private final List<Violation> violations = new ArrayList<>();

    /**
     * A monitor.
     *
     * @param now the virtual time in microseconds
     */
    public Monitor(List<Invariant> invariants, LongSupplier now) {
        this.invariants = List.copyOf(invariants);
        this.checks = invariants.stream()
                .flatMap(invariant -> invariant.checks().stream())
                .collect(Collectors.groupingBy(
                        Check::fact,
                        Collectors.collectingAndThen(Collectors.toList(), all -> all.toArray(Check[]::new))));
        for (Invariant invariant : invariants) {
            invariant.reportTo(text -> {
                if (violations.size() < KEPT) {
                    violations.add(new Violation(invariant.name(), now.getAsLong(), text));
                }
            });
        }
    }

    /**
     * Records that a run cannot go on because a core or the simulator itself threw an exception.
     *
     * @param micros the virtual time in microseconds
     */
    public void broken(RuntimeException defect, long micros) {
        String where = Arrays.stream(defect.getStackTrace())
                .limit(SHOWN_CALLS)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(", "));
        violations.add(new Violation(Violation.EXCEPTION, micros, defect + " at " + where));
    }

    public void check(Fact fact) {
        for (Check check : checks.getOrDefault(fact.getClass(), NONE)) {
            check.action().accept(fact);
        }
    }

    /** What has to happen yet before the run may end. */
    public List<String> waiting() {
        return invariants.stream()
                .flatMap(invariant -> invariant.waiting().stream())
                .toList();
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }

    public boolean violated() {
        return !violations.isEmpty();
    }
}

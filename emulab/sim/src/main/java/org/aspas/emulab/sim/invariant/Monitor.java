package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/** Tells every invariant what happens, and keeps what they find. */
public final class Monitor {
    private static final int SHOWN_CALLS = 12;
    private static final int KEPT = 20;

    /** An array, for they are told millions of times in a run. */
    private final Invariant[] invariants;

    private final List<Violation> violations = new ArrayList<>();

    /**
     * A monitor.
     *
     * @param now the virtual time in microseconds
     */
    public Monitor(List<Invariant> invariants, LongSupplier now) {
        this.invariants = invariants.toArray(Invariant[]::new);
        for (Invariant invariant : invariants) {
            invariant.complainTo(text -> {
                if (violations.size() < KEPT) {
                    violations.add(new Violation(invariant.name(), now.getAsLong(), text));
                }
            });
        }
    }

    /**
     * All ten guarantees, τ, the bounds, and that the order is trusted.
     *
     * @param genuine whether a head is signed by its origin
     */
    public static List<Invariant> guarantees(
            Participants participants, Predicate<Signed<Head>> genuine, Reference reference, UpdateAudit accounts) {
        return List.of(
                new SingleRoundTrip(),
                new StrongConvergence(participants, reference),
                new OneChain(participants),
                new CertifiedStays(participants, reference),
                new Liveness(),
                accounts,
                new NoFalseBlame(participants),
                new AnswersInOrder(),
                new ExactlyOnce(participants, reference),
                new AcknowledgedCounts(reference),
                new ProofsConvict(participants, genuine),
                new ConfirmedStays(reference),
                new ReadsAreNew(),
                new AcknowledgedSurvives(reference),
                new BoundedPending(),
                new FairShares(),
                new OrderTrusted(participants),
                new EffectsTold(participants, reference),
                new ToleranceHeld());
    }

    /**
     * Takes down that a run cannot go on, for a core or the simulator itself threw an exception.
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

    public void tell(Consumer<Invariant> news) {
        for (Invariant invariant : invariants) {
            news.accept(invariant);
        }
    }

    /** What has to happen yet before the run may end. */
    public List<String> waiting() {
        return Arrays.stream(invariants)
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

package org.aspas.emulab.sim.invariant;

import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;

/** The guarantees of every run: the ten of docs/protocol.md §11, τ, the bounds, and that the order is trusted. */
public final class Guarantees {
    private Guarantees() {}

    /**
     * All of them, in the order in which they check a fact.
     *
     * @param genuine whether a head is signed by its origin
     */
    public static List<Invariant> of(
            Participants participants, Predicate<Signed<Head>> genuine, Reference reference, UpdateAudit audit) {
        return List.of(
                new SingleRoundTrip(),
                new StrongConvergence(participants, reference),
                new OneChain(participants),
                new CertifiedStays(participants, reference),
                new Liveness(),
                audit,
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
}

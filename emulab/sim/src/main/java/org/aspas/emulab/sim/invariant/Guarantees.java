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
                new ExactlyOnce(reference),
                new ProofsConvict(participants, genuine),
                new ConfirmedStays(reference),
                new AcknowledgedSurvives(reference),
                new BoundedPending(),
                new FairShares(),
                new OrderTrusted(participants),
                new EffectsTold(participants, reference),
                new ToleranceHeld());
    }

    /**
     * G1: an answer takes one round trip, also when all other appservers and the BFT cluster are down. An appserver therefore
     * waits for its own disk and for nothing else: when all is durable, every update that it took is answered.
     */
    private static final class SingleRoundTrip extends Invariant {
        SingleRoundTrip() {
            super("G1");
            on(Fact.Durable.class, fact -> {
                if (fact.unanswered() > 0) {
                    violated("appserver " + fact.server() + " has all on disk and leaves " + fact.unanswered()
                            + " updates without an answer");
                }
            });
        }
    }

    /**
     * G5: once faults have ended and enough servers are correct and connected, every entry of a correct appserver is certified
     * in time, and every correct appserver answers every question for a value. What becomes of clients' updates is in {@link
     * UpdateAudit}.
     */
    private static final class Liveness extends Invariant {
        Liveness() {
            super("G5");
            on(Fact.Ended.class, fact -> {
                if (!fact.unsettled().isEmpty()) {
                    violated("still open at the end: " + String.join("; ", fact.unsettled()));
                }
                if (!fact.unanswered().isEmpty()) {
                    violated(fact.unanswered().size() + " reads at the end have no answer: "
                            + fact.unanswered().get(0));
                }
            });
        }
    }

    /**
     * BOUND: whatever an origin sends, a correct appserver never keeps more bytes of its entries that wait for others than the
     * limit says. Nothing proves an entry wrong that depends on what nobody has, so only this bounds what a liar leaves behind.
     */
    private static final class BoundedPending extends Invariant {
        BoundedPending() {
            super("BOUND");
            on(Fact.EntriesPending.class, fact -> {
                if (fact.bytes() > fact.most()) {
                    violated("appserver " + fact.server() + " keeps " + fact.bytes() + " bytes of appserver "
                            + fact.origin() + " that wait for others, above " + fact.most());
                }
            });
        }
    }

    /** ORDER: no correct bftserver says that the order is broken while at most b bftservers lie. */
    private static final class OrderTrusted extends Invariant {
        OrderTrusted(Participants participants) {
            super("ORDER");
            on(Fact.OrderBroken.class, fact -> {
                if (!participants.lyingReplicas().contains(fact.replica())
                        && participants.lyingReplicas().size()
                                <= participants.quorums().b()) {
                    violated("bftserver " + fact.replica() + ", which is correct, says that the order is broken");
                }
            });
        }
    }
}

package org.aspas.emulab.sim.invariant;

/** ORDER: no correct bftserver says that the order is broken while at most b bftservers lie. */
final class OrderTrusted extends Invariant {
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

package org.aspas.emulab.sim.invariant;

/**
 * G5: once faults have ended and enough servers are correct and connected, every entry of a correct appserver is certified
 * in time, and every correct appserver answers every question for a value. What becomes of clients' updates is in {@link
 * UpdateAudit}.
 */
final class Liveness extends Invariant {
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

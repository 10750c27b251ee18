package org.aspas.emulab.sim.invariant;

/**
 * G1: an answer takes one round trip, also when all other appservers and the BFT cluster are down. An appserver therefore
 * waits for its own disk and for nothing else: when all is durable, every update that it took is answered.
 */
final class SingleRoundTrip extends Invariant {
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
